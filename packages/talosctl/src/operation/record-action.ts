import { openResources } from "@talos-ts/machinery/client/resources";
import { nodesFromMembers } from "@talos-ts/machinery/health";
import { Member } from "@talos-ts/machinery/resources/cluster";
import type { Invocation } from "../command.ts";
import type { Session } from "../session/session.ts";
import { runOperation } from "./run-operation.ts";
import { sameCommand } from "./same-command.ts";
import type { Step } from "./step.ts";

/** Work on the nodes of a session that takes long. */
export interface RecordedAction {
  /** Name of the command. */
  readonly kind: string;
  readonly steps: readonly Step[];
  /** Time for all steps, in ms. */
  readonly timeoutMs: number;
  /** True when the nodes lose what they keep, so that none of them can keep the operation. */
  readonly erases: boolean;
}

/**
 * Runs work on nodes as an operation that a control plane keeps which is not worked on. Where all control planes are, the first keeps
 * it; when that one is erased, only this client knows how it ended, and says so.
 */
export async function recordAction(session: Session, invocation: Invocation, action: RecordedAction): Promise<void> {
  const { kind, steps, timeoutMs } = action;
  const { connection } = session;
  const { io, signal } = invocation;
  const nodes = session.targets.map((target) => target ?? session.defaultNode);
  const controlPlanes = await controlPlanesOf(session);
  const spared = controlPlanes.find((node) => !nodes.includes(node));
  const keeper = spared ?? (action.erases ? undefined : controlPlanes[0]);
  if (keeper === undefined) {
    if (controlPlanes.length > 0) io.err(`WARNING: no other control plane keeps a record of this ${kind}\n`);
    for (const step of steps) await step.run();
    return;
  }
  const plan = {
    kind,
    title: nodes.join(", "),
    steps,
    timeoutMs,
    command: sameCommand(invocation, nodes),
  };
  const tell = (line: string): void => io.err(`${line}\n`);
  await runOperation(plan, { connection: () => connection, node: keeper, signal, tell });
}

/** Control planes that the endpoint knows; none when it does not say. */
async function controlPlanesOf({ connection }: Session): Promise<readonly string[]> {
  try {
    return nodesFromMembers(await openResources(connection, undefined, [Member]).list(Member)).controlPlanes;
  } catch {
    return [];
  }
}
