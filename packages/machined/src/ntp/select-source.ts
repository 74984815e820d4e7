import { describeError, OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { TimeSample } from "./query-time.ts";
import type { TimeSource } from "./time-server.ts";

/** Codes of a kiss of death after which a server must not be asked again (RFC 5905, section 7.4). */
const refusals: ReadonlySet<string> = new Set(["DENY", "RSTR"]);

export interface SourceSelection {
  readonly source: TimeSource;
  readonly sample: TimeSample;
}

/** Result of asking the sources; `rateLimited` when nobody answered and one of them asked for fewer queries. */
export type SelectionResult = SourceSelection | { readonly source: undefined; readonly rateLimited: boolean };

export interface SourceSelector {
  /** Asks the source that answered last, then the others in the order of the configuration, until one answers. */
  next(): Promise<SelectionResult>;
}

export interface SourceSelectorOptions {
  /** Configured servers, the preferred one first. */
  readonly servers: readonly string[];
  readonly resolve: (server: string) => Promise<readonly TimeSource[]>;
  readonly query: (source: TimeSource) => Promise<TimeSample>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Creates the choice between several sources. A server whose every address fails gives way to the next; one that refuses service
 * is not asked again. Names are resolved anew whenever the source in use has failed, as pools move.
 */
export function createSourceSelector(options: SourceSelectorOptions): SourceSelector {
  const { servers, resolve, query, logger, signal } = options;
  const refused = new Set<string>();
  let current: TimeSource | undefined;

  const addressOf = (source: TimeSource): string => (source.kind === "ntp" ? source.address : source.name);
  const keyOf = (source: TimeSource): string =>
    source.kind === "ntp" ? `${source.address} ${String(source.port)}` : source.name;
  const resolved = async (server: string): Promise<readonly TimeSource[]> => {
    try {
      return await resolve(server);
    } catch (err) {
      logger.error(`failed looking up "${server}", ignored`, { error: describeError(err) });
      return [];
    }
  };

  return {
    async next() {
      let rateLimited = false;
      const attempt = async (source: TimeSource): Promise<TimeSample | undefined> => {
        try {
          return await query(source);
        } catch (err) {
          if (signal.aborted) return undefined;
          const kiss = err instanceof OsError ? err.details["kiss"] : undefined;
          if (typeof kiss === "string" && refusals.has(kiss)) refused.add(keyOf(source));
          rateLimited ||= kiss === "RATE";
          logger.error(`time query error with server "${addressOf(source)}"`, { error: describeError(err) });
          return undefined;
        }
      };
      const failed = current;
      if (current !== undefined) {
        const sample = await attempt(current);
        if (sample !== undefined) return { source: current, sample };
        // A server that asked for fewer queries is still the right one.
        if (rateLimited) return { source: undefined, rateLimited };
        current = undefined;
      }
      for (const server of servers) {
        for (const source of await resolved(server)) {
          if (signal.aborted) return { source: undefined, rateLimited };
          const key = keyOf(source);
          if (refused.has(key) || (failed !== undefined && key === keyOf(failed))) continue;
          const sample = await attempt(source);
          if (sample === undefined) continue;
          current = source;
          return { source, sample };
        }
      }
      return { source: undefined, rateLimited };
    },
  };
}
