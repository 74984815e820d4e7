import type { Clock } from "@talos-ts/base";
import { reconcileController, weak, type Controller, type Resource } from "@talos-ts/cosi";
import { Diagnostic, type DiagnosticSpec } from "@talos-ts/machinery/resources/runtime";

/** Interval at which a problem that lasts is told again. */
const repeatEveryMs = 300_000;

/** Writes problems to the log when they appear, every now and then while they last, and when they are solved. */
export function diagnosticsLoggerController({ clock }: { readonly clock: Clock }): Controller {
  const told = new Set<string>();
  let repeatAtMs = 0;

  return reconcileController({
    name: "runtime.DiagnosticsLoggerController",
    inputs: [weak(Diagnostic)],
    outputs: [],
    async reconcile(context) {
      const problems = await context.list(Diagnostic);
      const repeat = told.size > 0 && clock.monotonic() >= repeatAtMs;
      for (const problem of problems) {
        const { id } = problem.metadata;
        if (!told.has(id)) context.logger.warn("new diagnostic", fieldsOf(problem));
        else if (repeat) context.logger.warn("diagnostic still active", fieldsOf(problem));
      }
      const present = new Set(problems.map(({ metadata }) => metadata.id));
      for (const id of told) {
        if (present.has(id)) continue;
        told.delete(id);
        context.logger.info("diagnostic resolved", { id });
      }
      if (told.size === 0 || repeat) repeatAtMs = clock.monotonic() + repeatEveryMs;
      for (const id of present) told.add(id);
      if (told.size > 0) context.queueReconcile(repeatAtMs - clock.monotonic());
    },
  });
}

function fieldsOf({ metadata: { id }, spec: { message, details } }: Resource<DiagnosticSpec>) {
  return { id, message, details, url: `https://talos.dev/diagnostic/${id}` };
}
