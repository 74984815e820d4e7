import { OsError, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { newNode, withFailure, withSample } from "./node-view.ts";
import { shownOf, withMembers, withNode, withNodes, type DashboardState } from "./state.ts";
import { takeSample } from "./take-sample.ts";
import { withDeadline } from "./with-deadline.ts";

/** Smallest deadline of a call, in ms; a longer interval is a longer deadline. */
const minDeadlineMs = 3000;

export interface PollOptions {
  readonly connection: ApiConnection;
  /** False when the person chose the nodes to show. */
  readonly addMembers: boolean;
  /** What is shown when no member is known. */
  readonly endpoint: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly state: () => DashboardState;
  readonly update: (change: (state: DashboardState) => DashboardState) => void;
}

export interface Poller {
  /** Asks one node now instead of at its next turn. */
  wake(address: string): void;
  /** Settles when every loop has ended, after the signal. */
  readonly ended: Promise<void>;
}

/** Asks the cluster for its members, and each node in a loop of its own: nobody waits for another. */
export function pollNodes(options: PollOptions): Poller {
  const { intervalMs, signal, clock, state } = options;
  const connection = withDeadline(options.connection, Math.max(intervalMs, minDeadlineMs));
  const wakers = new Map<string, () => void>();
  const loops: Promise<void>[] = [];

  async function pause(wake: AbortSignal): Promise<void> {
    await clock.sleep(intervalMs, AbortSignal.any([signal, wake])).catch(() => undefined);
  }

  async function pollNode(address: string): Promise<void> {
    while (!signal.aborted) {
      const wake = new AbortController();
      wakers.set(address, () => wake.abort());
      try {
        const sample = await takeSample({ connection, node: address, ...shownOf(state(), address), signal });
        options.update((now) => withNode(now, address, (node) => withSample(node, sample, clock.now())));
      } catch (err) {
        if (signal.aborted) return;
        const { message } = OsError.from(err);
        options.update((now) => withNode(now, address, (node) => withFailure(node, message)));
      }
      await pause(wake.signal);
    }
  }

  function startNew(): void {
    for (const { address } of state().nodes) {
      if (wakers.has(address)) continue;
      wakers.set(address, () => undefined);
      loops.push(pollNode(address));
    }
  }

  async function pollMembers(): Promise<void> {
    const never = new AbortController().signal;
    while (!signal.aborted) {
      try {
        const resources = openResources(connection, undefined, [Member]);
        const members = (await resources.list(Member)).map(({ spec }) => spec);
        options.update((now) => withMembers(now, members, options.addMembers));
      } catch {
        // The nodes tell why they cannot be reached.
      }
      if (signal.aborted) return;
      if (state().nodes.length === 0) options.update((now) => withNodes(now, [newNode(options.endpoint)]));
      startNew();
      await pause(never);
    }
  }

  startNew();
  const ended = pollMembers().then(async () => void (await Promise.all(loops)));
  return { wake: (address) => wakers.get(address)?.(), ended };
}
