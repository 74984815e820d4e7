import type { Http2Session } from "node:http2";

export interface KeepAlive {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Also when no call is open. */
  readonly whenIdle: boolean;
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
