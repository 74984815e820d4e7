import { isDeepStrictEqual } from "node:util";
import { describeError, isCode, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { Affiliate, WatchResponse } from "@talos-ts/proto/discovery/server";
import type { AffiliateSpec } from "../resources/cluster/index.ts";
import { decodeAffiliate, decodeEndpoint } from "./affiliate-message.ts";
import type { Seal } from "./seal.ts";

export interface RosterOptions {
  readonly seal: Seal;
  /** The affiliate that is this machine. */
  readonly self: string;
  /** Told what is wrong with an affiliate that is left out; once for each way it can be wrong. */
  readonly note: (affiliateId: string, error: OsError) => void;
  /** Time that those stay that a service which starts over does not know yet. @default {120_000} */
  readonly graceMs?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** The other affiliates, as the service tells them. Nothing that it sends can do more than not be understood. */
export interface Roster {
  readonly affiliates: readonly AffiliateSpec[];
  /** Takes in a message; the first of a watch is a snapshot. Returns whether the affiliates changed. */
  take(message: WatchResponse, snapshot: boolean): boolean;
  /** Drops those whose grace is over. Returns whether the affiliates changed. */
  expire(): boolean;
  readonly graceMs: number;
}

interface Entry {
  readonly spec: AffiliateSpec;
  /** Set when the last snapshot did not have it. */
  readonly untilMs?: number;
}

/** So many complaints, then silence: whoever runs the service decides what it sends. */
const maxNotes = 32;

export function createRoster(options: RosterOptions): Roster {
  const { seal, self, graceMs = 120_000, clock = systemClock } = options;
  const known = new Map<string, Entry>();
  const noted = new Set<string>();

  function note(id: string, err: unknown): void {
    const error = OsError.from(err, "internal");
    const name = `${error.code} ${id}`;
    if (noted.has(name) || noted.size >= maxNotes) return;
    noted.add(name);
    options.note(id, error);
  }

  function endpointsOf({ id, endpoints }: Affiliate): readonly string[] {
    return endpoints.flatMap((sealed) => {
      try {
        return [decodeEndpoint(seal.openEndpoint(sealed))];
      } catch (err) {
        note(id, err);
        return [];
      }
    });
  }

  function read(affiliate: Affiliate): AffiliateSpec | undefined {
    try {
      const spec = decodeAffiliate(seal.open(affiliate.data), endpointsOf(affiliate));
      if (spec.nodeId === affiliate.id) return spec;
      throw new OsError({
        kind: "data-loss",
        code: "discovery/exchanged",
        message: `The discovery service returned data of affiliate "${spec.nodeId}" under the id of another affiliate`,
      });
    } catch (err) {
      note(affiliate.id, err);
      return undefined;
    }
  }

  function keep(affiliate: Affiliate): boolean {
    // Others may have said where it is before it has said who it is.
    if (affiliate.id === self || affiliate.data.length === 0) return false;
    const spec = read(affiliate);
    if (spec === undefined) return false;
    const before = known.get(affiliate.id);
    known.set(affiliate.id, { spec });
    return !isDeepStrictEqual(before?.spec, spec);
  }

  return {
    graceMs,
    get affiliates() {
      return [...known.values()].map(({ spec }) => spec);
    },
    take({ affiliates, deleted }, snapshot) {
      if (deleted) return affiliates.map(({ id }) => known.delete(id)).includes(true);
      if (snapshot) {
        // A service that has just started knows nobody until everybody has come back to it.
        const untilMs = clock.monotonic() + graceMs;
        for (const [id, { spec, untilMs: earlier = untilMs }] of known) known.set(id, { spec, untilMs: earlier });
      }
      return affiliates.map(keep).includes(true);
    },
    expire() {
      const now = clock.monotonic();
      const over = [...known].filter(([, { untilMs }]) => untilMs !== undefined && untilMs <= now);
      for (const [id] of over) known.delete(id);
      return over.length > 0;
    },
  };
}

/** One line about an affiliate that was left out. */
export function describeNote(error: OsError): { readonly error: string; readonly next?: string } {
  const next = isCode(error, "discovery/unreadable") ? 'compare "cluster.secret" of the nodes' : undefined;
  return { error: describeError(error), ...(next !== undefined && { next }) };
}
