import { OsError, type Clock } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Operation, type OperationSpec } from "@talos-ts/machinery/resources/runtime";
import type { Session } from "../session/session.ts";

/** An operation that control planes keep. */
export interface KeptOperation extends OperationSpec {
  readonly id: string;
  /** Control plane that keeps it, by address. */
  readonly keeper: string;
}

/** Operations that the control planes keep; one that does not answer, or keeps none, has none to tell. */
export async function keptOperations(
  session: Pick<Session, "connection">,
  controlPlanes: readonly string[],
): Promise<readonly KeptOperation[]> {
  const found = await Promise.all(
    controlPlanes.map(async (keeper) => {
      const kept = await openResources(session.connection, keeper, [Operation])
        .list(Operation)
        .catch(() => []);
      return kept.map(({ metadata, spec }): KeptOperation => Object.assign({ id: metadata.id, keeper }, spec));
    }),
  );
  return found.flat();
}

/**
 * The operation that this call continues: the last of the same kind and title that was not done, while its deadline is not over.
 *
 * @throws {OsError} `rolling/busy` while a client does other work on the cluster
 */
export function formerOperation(
  kept: readonly KeptOperation[],
  { kind, title }: { readonly kind: string; readonly title: string },
  clock: Clock,
): KeptOperation | undefined {
  const byClients = kept.filter(({ deadline }) => deadline !== "" && Date.parse(deadline) > clock.now());
  const busy = byClients.find(({ state }) => state === "running");
  if (busy !== undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "rolling/busy",
      message: `Cannot ${kind} node by node: ${busy.kind} (${busy.title}) is running, last reported at ${busy.updated}`,
      // A client that was killed reports nothing: its operation counts as running for a minute more.
      next: `talosctl --nodes ${busy.keeper} operations ${busy.id} --watch; if its client is gone, run this again a minute after its last report`,
    });
  }
  const same = byClients.filter((each) => each.kind === kind && each.title === title);
  const last = same.toSorted((a, b) => (a.started < b.started ? -1 : 1)).at(-1);
  return last?.state === "done" ? undefined : last;
}
