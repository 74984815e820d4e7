import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServiceInfo } from "@talos-ts/proto/machine/service";

/** Something that happened on a node. */
export interface TimelineEntry {
  /** Since the epoch, in ms. */
  readonly at: number;
  readonly node: string;
  /** Service, `kernel` or `event`. */
  readonly source: string;
  readonly text: string;
  readonly problem: boolean;
}

/** Lines of a log that tell of trouble. */
const trouble = /\b(?:error|err|failed|failure|fatal|panic|cannot|refused|timed? ?out|unhealthy|oom|killed)\b/i;
/** Time at the beginning of a line, or in JSON, in the forms that services write. */
const stamp = /(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)/;

/** Lines of a log that are kept for the timeline: those that tell of trouble, the last ones of them. */
const linesPerLog = 200;

const textLength = 300;

/** Entries of a log: lines with a time that tell of trouble. */
export function logEntries(node: string, source: string, log: string): readonly TimelineEntry[] {
  const found: TimelineEntry[] = [];
  for (const line of log.split("\n")) {
    if (!trouble.test(line)) continue;
    const written = stamp.exec(line.slice(0, textLength))?.[1];
    const at = written === undefined ? Number.NaN : parseTime(written);
    if (!Number.isNaN(at)) found.push({ at, node, source, text: line.slice(0, textLength), problem: true });
  }
  return found.slice(-linesPerLog);
}

/** Logs without a zone are written in UTC. */
function parseTime(text: string): number {
  const iso = text.replaceAll("/", "-").replace(" ", "T");
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`);
}

/** States of services that are no problem by themselves. */
const goodStates = new Set([
  "Initialized",
  "Preparing",
  "Pre",
  "Waiting",
  "Starting",
  "Running",
  "Finished",
  "Skipped",
]);

/** Entries of a service: the changes of its state. */
export function serviceEntries(node: string, { id, events }: ServiceInfo): readonly TimelineEntry[] {
  return (events?.events ?? []).flatMap(({ ts, state, msg }) => {
    if (ts === undefined) return [];
    const problem = !goodStates.has(state) || /health check failed|unhealthy|failed/i.test(msg);
    return [{ at: timestampMs(ts), node, source: id, text: `[${state}] ${msg}`, problem }];
  });
}

/** Base 32 of event ids: digits before letters. */
const alphabet = "0123456789abcdefghijklmnopqrstuv";

/** Time that the id of an event carries: its first four bytes are seconds. `undefined` for another form of id. */
export function eventTime(id: string): number | undefined {
  if (!/^[0-9a-v]{20}$/.test(id)) return undefined;
  let bits = 0n;
  for (const letter of id) bits = (bits << 5n) | BigInt(alphabet.indexOf(letter));
  // Twenty letters are 100 bits, of which 96 are used.
  return Number(bits >> 68n) * 1000;
}

/** Everything of all nodes in order of time. */
export function mergeTimelines(parts: readonly (readonly TimelineEntry[])[]): readonly TimelineEntry[] {
  return parts.flat().toSorted((a, b) => a.at - b.at || (a.node < b.node ? -1 : 1));
}
