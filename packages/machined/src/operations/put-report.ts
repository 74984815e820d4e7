import type { Clock } from "@talos-ts/base";
import { createResource, findTyped, listTyped, pointerTo, type State } from "@talos-ts/cosi";
import { OperationReport, type OperationReportSpec } from "@talos-ts/machinery/resources/runtime";

/** Reports that are kept; the oldest of those that ended go first. */
const kept = 40;

/** Puts what was said about an operation into the state, with the time of it. */
export async function putReport(
  { state, clock }: { readonly state: State; readonly clock: Clock },
  id: string,
  report: Omit<OperationReportSpec, "started" | "updated">,
): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  const before = await findTyped(state, OperationReport, id);
  const spec = OperationReport.spec({ ...report, started: before?.spec.started ?? now, updated: now });
  if (before === undefined) {
    await makeRoom(state);
    await state.create(createResource(OperationReport, id, spec));
  } else await state.update({ metadata: before.metadata, spec });
}

async function makeRoom(state: State): Promise<void> {
  const ended = (await listTyped(state, OperationReport))
    .filter(({ spec }) => spec.state !== "running")
    .toSorted((a, b) => (a.spec.updated < b.spec.updated ? -1 : 1));
  for (const { metadata } of ended.slice(0, Math.max(0, ended.length - kept + 1))) {
    await state.destroy(pointerTo(OperationReport, metadata.id));
  }
}
