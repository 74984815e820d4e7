import { connect } from "node:net";

/** Resolves once a connection stands, which is closed at once. */
export function dial(
  target: { readonly path: string } | { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const end = (outcome: () => void): void => {
      signal.removeEventListener("abort", aborted);
      socket.destroy();
      outcome();
    };
    const aborted = (): void => end(() => reject(signal.reason as Error));
    socket.once("connect", () => end(resolve));
    socket.once("error", (err) => end(() => reject(err)));
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
  });
}
