import { OsError, type Clock } from "@talos-ts/base";
import type { State } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { OperationService } from "@talos-ts/proto/operation/operation";
import { putReport } from "../../../operations/put-report.ts";

/** States that a client may report. */
const states: ReadonlySet<string> = new Set(["running", "done", "failed"]);
const maxSteps = 1000;

/** Keeps what a client says about its work; a controller makes an `Operation` of it. */
export const report =
  ({
    state,
    clock,
  }: {
    readonly state: State;
    readonly clock: Clock;
  }): NonNullable<ServiceImpl<typeof OperationService>["report"]> =>
  async ({ id, kind, title, steps, done, state: reported, error, next, deadline }) => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw refused(`id ${JSON.stringify(id)} is no UUID`);
    if (!/^[a-z0-9-]{1,40}(?: [a-z0-9-]{1,40})?$/.test(kind))
      throw refused(`kind ${JSON.stringify(kind)} is no name of a command`);
    if (!states.has(reported)) throw refused(`state ${JSON.stringify(reported)} is none of ${[...states].join(", ")}`);
    if (steps.length > maxSteps || done > steps.length) {
      throw refused(
        `${String(done)} of ${String(steps.length)} steps are done, expected at most ${String(maxSteps)} steps`,
      );
    }
    const seconds = Number(deadline);
    if (!(seconds > 0 && seconds < 8.64e12)) throw refused("a deadline is missing");
    const until = new Date(seconds * 1000).toISOString();
    await putReport({ state, clock }, id, { kind, title, steps, done, state: reported, error, next, deadline: until });
    return { messages: [{}] };
  };

function refused(what: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "operation/bad-report",
    message: `Cannot keep the report of an operation: ${what}`,
    next: "talosctl operations",
  });
}
