import { connect } from "node:net";
import type { Probe } from "./upstream-health.ts";

/** Counts an upstream as ready when it accepts a connection. */
export const probeTcp: Probe = ({ host, port }, signal) =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (state: "ready" | "unreachable"): void => {
      signal.removeEventListener("abort", late);
      socket.destroy();
      resolve(state);
    };
    const late = (): void => end("unreachable");
    socket.once("connect", () => end("ready"));
    socket.once("error", () => end("unreachable"));
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) late();
  });
