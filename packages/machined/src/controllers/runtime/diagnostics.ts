import { describeError, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, type Controller, type Input } from "@talos-ts/cosi";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import { kubeletCsrCheck } from "./internal/kubelet-csr-check.ts";
import { diagnosticChecks, type DiagnosticCheck } from "./internal/diagnostic-checks.ts";

const checkEveryMs = 60_000;

export interface DiagnosticsOptions {
  readonly clock: Clock;
  /** Prefix of every path. Empty on a machine. */
  readonly root: string;
  /** @default all there are */
  readonly checks?: readonly DiagnosticCheck[];
}

/** Looks for problems that only a person can solve, and shows those that last. */
export function diagnosticsController(options: DiagnosticsOptions): Controller {
  const { clock, checks = allChecks(options) } = options;
  /** Time at which each problem was first seen. */
  const since = new Map<string, number>();

  return reconcileController({
    name: "runtime.DiagnosticsController",
    inputs: distinct(checks.flatMap(({ inputs }) => inputs)),
    outputs: [exclusive(Diagnostic)],
    cleanup: [kindOf(Diagnostic)],
    async reconcile(context) {
      let nextMs = checkEveryMs;
      for (const candidate of checks) {
        const { id, hysteresisMs } = candidate;
        const problem = await candidate.check(context).catch((err: unknown) => {
          context.logger.debug("diagnostic check failed", { check: id, error: describeError(err) });
          return undefined;
        });
        if (problem === undefined) {
          since.delete(id);
          continue;
        }
        const first = since.get(id) ?? clock.monotonic();
        since.set(id, first);
        const waitMs = first + hysteresisMs - clock.monotonic();
        if (waitMs <= 0) await context.put(Diagnostic, id, () => problem);
        else nextMs = Math.min(nextMs, waitMs);
      }
      context.queueReconcile(nextMs);
    },
  });
}

function allChecks(options: DiagnosticsOptions): readonly DiagnosticCheck[] {
  const now = (): number => options.clock.now();
  return [...diagnosticChecks(now), kubeletCsrCheck(options)];
}

/** Several checks may look at the same thing. */
function distinct(inputs: readonly Input[]): readonly Input[] {
  return [...new Map(inputs.map((input) => [`${input.namespace}/${input.type}/${input.id ?? ""}`, input])).values()];
}
