import { createBackoff, describeError, systemClock, type Clock, type Log } from "@talos-ts/base";
import { createServer, type GrpcServer, type RawHandler, type ServerTlsMaterial } from "@talos-ts/grpc";
import { maxMessageBytes, requestBounds } from "@talos-ts/machinery/constants";
import type { APIServiceConfigSpec } from "@talos-ts/machinery/resources/runtime";
import { parseListenAddress } from "./listen-address.ts";

export interface ApiListenerOptions {
  readonly material: () => ServerTlsMaterial;
  /** Creates the handler of a listener with this configuration. */
  readonly handler: (config: APIServiceConfigSpec) => RawHandler;
  /** Grace period for open calls when a listener is closed, in ms. */
  readonly graceMs: number;
  readonly log: Log;
  readonly onListening?: ((address: string) => void) | undefined;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** The listener of the API. It follows the configuration; certificates change while it stands. */
export interface ApiListener extends AsyncDisposable {
  /** Opens, moves or closes the door; the latest configuration wins. */
  apply(config: APIServiceConfigSpec | undefined): void;
}

export function createApiListener(options: ApiListenerOptions): ApiListener {
  const { material, handler, graceMs, log, clock = systemClock } = options;
  const backoff = createBackoff({ initialMs: 100, maxMs: 5000 });
  const stop = new AbortController();
  const closing = new Set<Promise<void>>();
  let wanted: APIServiceConfigSpec | undefined;
  let applied: APIServiceConfigSpec | undefined;
  let current: GrpcServer | undefined;
  let busy = false;
  let working = Promise.resolve();

  /** The address is free at once; calls under way finish in the old mode. */
  function retire(): void {
    if (current === undefined) return;
    const done = current.close(graceMs).finally(() => closing.delete(done));
    closing.add(done);
    current = undefined;
  }

  async function open(config: APIServiceConfigSpec): Promise<void> {
    const server = createServer({
      maxReceiveBytes: maxMessageBytes,
      maxSendBytes: maxMessageBytes,
      methodBounds: requestBounds,
    });
    const { address } = await server.setFallback(handler(config)).listen({
      ...parseListenAddress(config.listenAddress),
      tls: {
        material,
        clientAuth: config.skipVerifyingClientCert ? "none" : "require",
        onError: (err) => log(`new certificates cannot be used: ${err.message}`),
      },
    });
    current = server;
    log(`listening on ${config.listenAddress}: ${modeText(config)}`);
    options.onListening?.(address);
  }

  async function applyWanted(): Promise<void> {
    while (wanted !== applied && !stop.signal.aborted) {
      const config = wanted;
      retire();
      try {
        if (config === undefined) log("closed: there is no configuration for the API");
        else await open(config);
        applied = config;
        backoff.reset();
      } catch (err) {
        log(`cannot listen on ${config?.listenAddress ?? ""}: ${describeError(err)}`);
        await clock.sleep(backoff.next(), stop.signal).catch(() => undefined);
      }
    }
    busy = false;
  }

  return {
    apply(config) {
      if (config !== undefined && wanted !== undefined && sameConfig(config, wanted)) return;
      wanted = config;
      if (busy) return;
      busy = true;
      working = applyWanted();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await working;
      retire();
      await Promise.all(closing);
    },
  };
}

function sameConfig(a: APIServiceConfigSpec, b: APIServiceConfigSpec): boolean {
  return a.listenAddress === b.listenAddress && modeText(a) === modeText(b);
}

/** Every flag of the mode in words, for the log. */
function modeText(config: APIServiceConfigSpec): string {
  return [
    config.skipVerifyingClientCert ? "any client" : "client certificates required",
    config.nodeRoutingDisabled ? "this node only" : "routing to other nodes",
    config.readonlyRoleMode ? "read-only role" : "roles by certificate",
  ].join(", ");
}
