import type { Http2Connection } from "./connection.ts";

/** Interval of keepalive pings, and the timeout of their acknowledgement. */
export interface KeepAlive {
  /** Time between pings, in ms; `Infinity` sends none. */
  readonly intervalMs: number;
  /** Time to wait for the acknowledgement before the connection is closed, in ms. */
  readonly timeoutMs: number;
  /** Also when no stream is open. */
  readonly whenIdle: boolean;
}

/**
 * Pings the peer now and then; one that does not answer in time loses the connection.
 *
 * @returns a function that stops it
 */
export function keepAlive(connection: Http2Connection, options: KeepAlive): () => void {
  if (!Number.isFinite(options.intervalMs)) return () => undefined;
  let overdue: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (overdue !== undefined || connection.closed || (!options.whenIdle && connection.openStreams === 0)) return;
    overdue = setTimeout(() => connection.destroy(0, noAnswer(options.timeoutMs)), options.timeoutMs);
    overdue.unref();
    connection.ping(() => {
      clearTimeout(overdue);
      overdue = undefined;
    });
  }, options.intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    clearTimeout(overdue);
  };
}

/**
 * Pings a peer that has been quiet for `idleMs` when a request is about to use its connection. A host that vanished leaves its
 * connections open, and TCP retransmits for minutes before it gives up.
 *
 * @returns a function to call before each use of the connection
 */
export function probeOnReuse(
  connection: Http2Connection,
  { idleMs, timeoutMs }: { readonly idleMs: number; readonly timeoutMs: number },
): () => void {
  if (!Number.isFinite(idleMs)) return () => undefined;
  let usedAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    const idle = nowMs - usedAtMs >= idleMs;
    usedAtMs = nowMs;
    if (!idle || connection.closing) return;
    const timer = setTimeout(() => connection.destroy(0, noAnswer(timeoutMs)), timeoutMs);
    timer.unref();
    connection.ping(() => clearTimeout(timer));
  };
}

function noAnswer(timeoutMs: number): Error {
  return new Error(`no answer to a PING within ${String(timeoutMs)} ms`);
}
