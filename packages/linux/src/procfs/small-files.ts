import { malformed } from "../ffi/errno.ts";
import type { LoadAverage, Uptime } from "./procfs.ts";

/** /proc/meminfo */
export function parseMemInfo(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^([^:]+):\s+(\d+)/.exec(line);
    if (match?.[1] !== undefined) found.set(match[1], Number(match[2]));
  }
  return found;
}

function numbers(what: string, text: string, count: number): readonly number[] {
  const found = text.trim().split(/\s+/).slice(0, count).map(Number);
  if (found.length < count || !found.every(Number.isFinite)) throw malformed("procfs", what, { text });
  return found;
}

/** /proc/loadavg. @throws OsError `procfs/malformed` */
export function parseLoadAverage(text: string): LoadAverage {
  const [load1 = 0, load5 = 0, load15 = 0] = numbers("the load average", text, 3);
  return { load1, load5, load15 };
}

/** /proc/uptime. @throws OsError `procfs/malformed` */
export function parseUptime(text: string): Uptime {
  const [uptimeSeconds = 0, idleSeconds = 0] = numbers("the uptime", text, 2);
  return { uptimeSeconds, idleSeconds };
}
