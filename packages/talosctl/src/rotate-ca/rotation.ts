import { timeLimit, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { changeMain, type Config, type MainConfig } from "@talos-ts/machinery/config";
import type { ClusterNodes } from "@talos-ts/machinery/health";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { changeConfig } from "../session/change-config.ts";

/** A rotation of authorities: on what, and how it is told. */
export interface Rotation {
  readonly nodes: ClusterNodes;
  readonly dryRun: boolean;
  readonly encode: (config: Config) => string;
  readonly log: (line: string) => void;
  readonly clock: Clock;
  /** Aborts on Ctrl-C, and with `stop`. */
  readonly signal: AbortSignal;
  /** Ends all work when an operation of the rotation ends early. */
  readonly stop: AbortController;
}

/** Every node, control planes first. */
function nodesOf({ nodes }: Pick<Rotation, "nodes">): readonly string[] {
  return [...nodes.controlPlanes, ...nodes.workers];
}

/** Changes the configuration of every node in turn. @param around Waits for what follows from a change. */
export async function changeAllNodes(
  rotation: Rotation,
  connection: ApiConnection,
  change: (main: MainConfig) => MainConfig,
  around: (node: string, apply: () => Promise<boolean>) => Promise<void> = async (_node, apply) => void (await apply()),
): Promise<void> {
  const { dryRun, log } = rotation;
  for (const node of nodesOf(rotation)) {
    if (dryRun) {
      log(`  - ${node}: skipped (dry-run)`);
      continue;
    }
    await around(node, () =>
      changeConfig({ ...rotation, connection, node, change: (config) => changeMain(config, change) }),
    );
    log(`  - ${node}: OK`);
  }
}

const patienceMs = 90_000;
const pauseMs = 500;

/** Asks every node for its version, until it answers: `apid` takes a moment to serve with another certificate. */
export async function verifyConnectivity(rotation: Rotation, connection: ApiConnection, label: string): Promise<void> {
  const { dryRun, log, clock, signal } = rotation;
  log(`> Verifying connectivity with ${label}:`);
  for (const node of nodesOf(rotation)) {
    if (dryRun) {
      log(`  - ${node}: OK (dry-run)`);
      continue;
    }
    using limit = timeLimit(patienceMs, { clock, signal });
    const service = connection.service(MachineService, { node });
    for (;;) {
      try {
        const { messages } = await service.version({}, { signal: limit.signal, timeoutMs: 10_000 });
        log(`  - ${node}: OK (version ${messages[0]?.version?.tag ?? ""})`);
        break;
      } catch (err) {
        if (limit.signal.aborted) throw err;
        await clock.sleep(pauseMs, limit.signal).catch(() => {
          throw err;
        });
      }
    }
  }
}
