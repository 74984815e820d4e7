import { describeError, type Clock } from "@talos-ts/base";
import { equalSpecs, exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { systemVolumes } from "@talos-ts/machinery/constants";
import {
  Operation,
  OperationReport,
  type OperationReportSpec,
  type OperationSpec,
} from "@talos-ts/machinery/resources/runtime";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { loadOperations, storeOperations, type Operations } from "./internal/operation-file.ts";

const name = "runtime.OperationsController";
/** Operations that are kept. */
const kept = 20;
/** Time without a report after which a client counts as gone, in ms; clients report every ten seconds. */
const silenceMs = 60_000;

/**
 * Keeps the last operations over restarts, on the STATE volume. One whose client says nothing any more is `lost`: nobody works on it,
 * and the same command goes on with it. One that is not done at its deadline has failed, whatever its client says. A sequence of the machine itself that was running when the machine went down was meant to
 * take it down, and is over.
 */
export function operationsController({ root, clock }: { readonly root: string; readonly clock: Clock }): Controller {
  let operations: Operations | undefined;
  let stored = true;

  const loading = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    work: async (path, { logger }) =>
      loadOperations(path).catch((err: unknown): Operations => {
        logger.warn("former operations are lost", { error: describeError(err) });
        return new Map();
      }),
  });
  const storing = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    work: (path) => storeOperations(path, operations ?? new Map()),
  });

  return reconcileController({
    name,
    inputs: [weak(OperationReport), ...mountedVolumeInputs(name, systemVolumes.state)],
    outputs: [exclusive(Operation), ...mountedVolumeOutputs],
    async reconcile(context) {
      if (operations === undefined) {
        const loaded = await loading.step(context);
        if (loaded === undefined) return;
        operations = new Map([...loaded.value].map(([id, spec]) => [id, afterRestart(spec)]));
      }
      const reports = await context.list(OperationReport);
      const before = operations;
      operations = updated(before, new Map(reports.map(({ metadata, spec }) => [metadata.id, spec])), clock.now());
      stored &&= !isNews(before, operations);
      context.startTrackingOutputs();
      for (const [id, spec] of operations) await context.modify(Operation, id, () => spec);
      await context.cleanupOutputs(kindOf(Operation));
      const waiting = [...operations.values()].filter(isWatched).map((spec) => nextLook(spec, clock.now()));
      if (waiting.length > 0) context.queueReconcile(Math.max(1, Math.min(...waiting) + 1));
      if (stored && !storing.busy) return;
      const writing = operations;
      if ((await storing.step(context)) === undefined) return;
      stored = writing === operations;
      if (!stored) context.queueReconcile();
    },
  });
}

function updated(before: Operations, reports: ReadonlyMap<string, OperationReportSpec>, nowMs: number): Operations {
  const all = new Map(before);
  for (const [id, report] of reports) {
    const present = before.get(id);
    // What the machine found out itself stays until there is another report. Its time may be earlier: the clock may have been set back.
    if (present !== undefined && present.updated === report.updated && present.state !== "running") continue;
    all.set(id, specOf(report, present));
  }
  for (const [id, spec] of all) {
    if (!isWatched(spec)) continue;
    const next = spec.next === "" ? `talosctl ${spec.kind}` : spec.next;
    if (nowMs >= Date.parse(spec.deadline)) {
      const error = `not done at its deadline, ${spec.deadline}, during ${JSON.stringify(spec.step)}`;
      all.set(id, { ...spec, state: "failed", error, next });
    } else if (age(spec, nowMs) >= silenceMs) {
      const error = `no report since ${spec.updated}: the client that did it is gone`;
      all.set(id, { ...spec, state: "lost", error, next });
    }
  }
  const newest = [...all].toSorted(([, a], [, b]) => (a.started < b.started ? 1 : -1)).slice(0, kept);
  return new Map(newest);
}

function specOf(report: OperationReportSpec, present: OperationSpec | undefined): OperationSpec {
  const { steps, done, started } = report;
  const step = report.state === "running" || report.state === "failed" ? (steps[done] ?? "") : "";
  return Operation.spec({ ...report, started: present?.started ?? started, step });
}

/** True for an operation of a client, which must report; only those have a deadline. */
function isWatched({ state, deadline }: OperationSpec): boolean {
  return state === "running" && deadline !== "";
}

/** Time until the silence of a client or its deadline says something about an operation, in ms. */
function nextLook(spec: OperationSpec, nowMs: number): number {
  return Math.min(silenceMs - age(spec, nowMs), Date.parse(spec.deadline) - nowMs);
}

function age({ updated: at }: OperationSpec, nowMs: number): number {
  return nowMs - Date.parse(at);
}

function afterRestart(spec: OperationSpec): OperationSpec {
  const isSequence = spec.state === "running" && spec.deadline === "";
  return isSequence ? { ...spec, state: "done", step: "", done: spec.steps.length } : spec;
}

/** Reports whether something changed but the time of the last report. */
function isNews(before: Operations, after: Operations): boolean {
  if (before.size !== after.size) return true;
  return [...after].some(([id, spec]) => {
    const old = before.get(id);
    return old === undefined || !equalSpecs({ ...old, updated: "" }, { ...spec, updated: "" });
  });
}
