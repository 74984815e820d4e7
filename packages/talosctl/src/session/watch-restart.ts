import { OsError, timeLimit, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";

export interface WatchRestartOptions {
  readonly connection: ApiConnection;
  readonly node: string;
  /** Id of the service. */
  readonly service: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A service that is watched from a moment at which it was healthy. */
export interface WatchedRestart {
  /** Waits until the service was away since then, and is healthy again. @throws {OsError} `cli/not-restarted` */
  done(): Promise<void>;
}

const pauseMs = 500;

/**
 * Begins to watch a service before something is changed that restarts it, so that its end is not missed. A service that is registered
 * anew is a resource that was created anew.
 *
 * @throws {OsError} `cli/not-healthy` when the service is not healthy to begin with
 */
export async function watchRestart(options: WatchRestartOptions): Promise<WatchedRestart> {
  const { connection, node, service, clock, signal, timeoutMs } = options;
  const resources = openResources(connection, node, [Service]);
  const before = await resources.find(Service, service);
  if (before?.spec.healthy !== true) throw failure(options, "not-healthy", "is not healthy");
  return {
    async done() {
      using limit = timeLimit(timeoutMs, { clock, signal });
      for (;;) {
        const now = await resources.find(Service, service).catch(() => undefined);
        const isAnother =
          now !== undefined &&
          (now.metadata.created !== before.metadata.created || now.metadata.version > before.metadata.version);
        if (isAnother && now.spec.running && now.spec.healthy) return;
        await clock.sleep(pauseMs, limit.signal).catch(() => {
          signal.throwIfAborted();
          throw failure(options, "not-restarted", "was not restarted in time");
        });
      }
    },
  };
}

function failure({ node, service }: WatchRestartOptions, condition: string, what: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: `cli/${condition}`,
    message: `error updating node ${JSON.stringify(node)}: service ${JSON.stringify(service)} ${what}`,
    next: `talosctl --nodes ${node} service ${service}`,
  });
}
