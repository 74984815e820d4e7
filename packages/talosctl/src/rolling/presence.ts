import { timeLimit, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";

/** State of a machine: it serves, it is about to go down, or it does not answer. */
export type Presence =
  | { readonly state: "up"; /** When this boot began, in ms since the epoch. */ readonly bootedMs: number }
  | { readonly state: "leaving" | "away" };

const leaving: ReadonlySet<string> = new Set(["rebooting", "shutting down", "resetting"]);
const answerMs = 5000;

/** Asks a machine what it is at. Its status is a resource that is created with each boot. */
export async function presenceOf(
  connection: ApiConnection,
  node: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Presence> {
  using limit = timeLimit(answerMs, { clock, signal });
  try {
    const resources = openResources(connection, node, [MachineStatus]);
    const { metadata, spec } = await limit.race(resources.get(MachineStatus, MachineStatus.id));
    return leaving.has(spec.stage) ? { state: "leaving" } : { state: "up", bootedMs: metadata.created };
  } catch {
    signal.throwIfAborted();
    return { state: "away" };
  }
}

const pauseMs = 1000;

/** Waits until a machine is no longer about to go down. @param wait Whether one that is away is waited for, too. */
export async function settledPresence(
  connection: ApiConnection,
  node: string,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly wait: boolean },
): Promise<Presence> {
  for (;;) {
    const presence = await presenceOf(connection, node, options);
    if (presence.state === "up" || (presence.state === "away" && !options.wait)) return presence;
    await options.clock.sleep(pauseMs, options.signal);
  }
}
