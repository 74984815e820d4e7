import { describeError, OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";

/** Says once that the service is away and why, and once that it is back; never a line per attempt. */
export interface OutageLog {
  failed(error: unknown, retryMs: number): void;
  connected(): void;
  steady(): void;
}

export function createOutageLog(logger: Logger, endpoint: string): OutageLog {
  const reported = new Set<string>();
  let reached = false;
  return {
    failed(err, retryMs) {
      const { code } = OsError.from(err);
      const error = describeError(err);
      if (reported.has(code)) logger.debug("discovery service still cannot be used", { endpoint, error });
      else {
        logger.warn("discovery service cannot be used; the members known so far are kept", {
          endpoint,
          error,
          retry_in_seconds: Math.round(retryMs / 100) / 10,
          next: "talosctl get discoveryconfigs -o jsonpath={.spec.serviceEndpoint}",
        });
      }
      reported.add(code);
    },
    connected() {
      if (reached) return;
      reached = true;
      reported.clear();
      logger.info("discovery service is in use", { endpoint });
    },
    steady() {
      if (reported.size > 0) logger.info("discovery service works again", { endpoint });
      reported.clear();
    },
  };
}
