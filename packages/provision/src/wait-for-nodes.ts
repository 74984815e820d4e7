import { connect } from "node:net";
import { OsError, systemClock, type Clock } from "@talos-ts/base";
import type { Progress } from "@talos-ts/host";
import type { ClusterPlan } from "./cluster-plan.ts";

/** The port of the API on every node. */
export const apiPort = 50000;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** @default {50000} */
  readonly port?: number;
  readonly clock?: Clock;
}

/**
 * Waits until every node accepts connections to its API.
 *
 * @throws OsError `provision/not-ready` with the nodes that do not, when the signal aborts first.
 */
export async function waitForNodes(plan: ClusterPlan, options: WaitOptions, progress: Progress): Promise<void> {
  const { signal, port = apiPort, clock = systemClock } = options;
  const stage = "wait for the API";
  const waiting = new Set(plan.nodes.map((node) => node.name));
  progress({ stage, state: "start" });
  try {
    await Promise.all(
      plan.nodes.map(async (node) => {
        while (!(await accepts(node.address, port, signal))) await clock.sleep(pauseMs, signal);
        waiting.delete(node.name);
        const done = plan.nodes.length - waiting.size;
        progress({ stage, state: "step", detail: node.name, done, total: plan.nodes.length });
      }),
    );
  } catch (err) {
    throw notReady(plan, [...waiting], err);
  }
  progress({ stage, state: "done" });
}

const pauseMs = 100;

async function accepts(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function notReady(plan: ClusterPlan, names: readonly string[], cause: unknown): OsError {
  const first = plan.nodes.find((node) => node.name === names[0]);
  return new OsError({
    kind: "deadline-exceeded",
    code: "provision/not-ready",
    message: `Timed out waiting for the API of ${plan.nodes.length} nodes: no answer from ${names.join(", ")}`,
    ...(first === undefined ? {} : { next: `talosctl cluster show --name ${plan.name}` }),
    details: { nodes: names },
    cause,
  });
}
