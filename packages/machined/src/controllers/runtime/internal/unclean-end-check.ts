import type { UncleanEnd } from "../../../platform.ts";
import type { DiagnosticCheck } from "./diagnostic-checks.ts";

/** Tells, until the next start, that the last run ended without a shutdown: what it was doing may be half done. */
export function uncleanEndCheck(end: UncleanEnd | undefined): DiagnosticCheck {
  return {
    id: "unclean-end",
    hysteresisMs: 0,
    inputs: [],
    async check() {
      if (end === undefined) return undefined;
      const { death } = end;
      const message = "the last run of this machine ended without a shutdown";
      if (death === undefined) return { message, details: ["reason: unknown, as after a power cut"] };
      return {
        message,
        details: [
          `reason: ${death.reason}`,
          `time: ${death.time}`,
          `such ends since the machine was created: ${String(death.count)}`,
        ],
      };
    },
  };
}
