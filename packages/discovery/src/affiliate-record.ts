/** Record of an affiliate, as the service sends it. */
export interface StoredAffiliate {
  readonly id: string;
  readonly data: Uint8Array;
  readonly endpoints: Uint8Array[];
}

/** One affiliate: what it said of itself, and where it and others say it can be reached, each for its own time. */
export interface AffiliateRecord {
  data: Uint8Array;
  untilMs: number;
  /** By their bytes, so that what several say is kept once. */
  readonly endpoints: Map<string, number>;
}

export function createRecord(): AffiliateRecord {
  return { data: new Uint8Array(0), untilMs: 0, endpoints: new Map() };
}

const nameOf = (endpoint: Uint8Array): string => Buffer.from(endpoint).toString("latin1");
const bytesOf = (name: string): Uint8Array => new Uint8Array(Buffer.from(name, "latin1"));

/** Counts the endpoints the affiliate would have with these. */
export function countWith(record: AffiliateRecord, endpoints: readonly Uint8Array[], nowMs: number): number {
  dropEndpoints(record, nowMs);
  return new Set([...record.endpoints.keys(), ...endpoints.map(nameOf)]).size;
}

/** The last word about itself counts; endpoints add up. Returns whether anybody can see a difference. */
export function mergeInto(
  record: AffiliateRecord,
  data: Uint8Array | undefined,
  endpoints: readonly Uint8Array[],
  untilMs: number,
): boolean {
  let changed = false;
  if (data !== undefined && data.length > 0) {
    changed = Buffer.compare(record.data, data) !== 0;
    record.data = data;
    record.untilMs = untilMs;
  }
  record.untilMs = Math.max(record.untilMs, untilMs);
  for (const name of endpoints.map(nameOf)) {
    changed ||= !record.endpoints.has(name);
    record.endpoints.set(name, Math.max(untilMs, record.endpoints.get(name) ?? 0));
  }
  return changed;
}

/** Forgets endpoints whose time is over. Returns whether there were any. */
export function dropEndpoints(record: AffiliateRecord, nowMs: number): boolean {
  const over = [...record.endpoints].filter(([, untilMs]) => untilMs <= nowMs);
  for (const [name] of over) record.endpoints.delete(name);
  return over.length > 0;
}

export function storedOf(id: string, record: AffiliateRecord, nowMs: number): StoredAffiliate {
  const live = [...record.endpoints].filter(([, untilMs]) => untilMs > nowMs);
  return { id, data: record.data, endpoints: live.map(([name]) => bytesOf(name)) };
}
