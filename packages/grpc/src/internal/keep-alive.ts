import type { Http2Session } from "node:http2";

export interface KeepAlive {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Also when no call is open. */
  readonly whenIdle: boolean;
}

/**
 * Pings a peer that has been quiet for `idleMs` when a call is about to use its connection. A host that vanished leaves its
 * connections open, and TCP retransmits for minutes before it gives up.
 *
 * @returns a function to call before each use of the connection
 */
export function probeOnReuse(
  session: Http2Session,
  { idleMs, timeoutMs }: { readonly idleMs: number; readonly timeoutMs: number },
  onTimeout: () => void,
): () => void {
  if (!Number.isFinite(idleMs)) return () => undefined;
  let usedAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    const idle = nowMs - usedAtMs >= idleMs;
    usedAtMs = nowMs;
    if (!idle || session.destroyed || session.closed) return;
    const timer = setTimeout(() => {
      if (!session.destroyed) onTimeout();
    }, timeoutMs);
    timer.unref();
    session.ping(() => clearTimeout(timer));
  };
}

/** Pings the peer now and then; one that does not answer in time loses the connection. */
export function keepAlive(session: Http2Session, options: KeepAlive, isIdle: () => boolean): void {
  if (!Number.isFinite(options.intervalMs)) return;
  let overdue: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (overdue !== undefined || session.destroyed || (!options.whenIdle && isIdle())) return;
    overdue = setTimeout(() => session.destroy(), options.timeoutMs);
    overdue.unref();
    session.ping((err) => {
      clearTimeout(overdue);
      overdue = undefined;
      if (err !== null && !session.destroyed) session.destroy();
    });
  }, options.intervalMs);
  timer.unref();
  session.once("close", () => {
    clearInterval(timer);
    clearTimeout(overdue);
  });
}
