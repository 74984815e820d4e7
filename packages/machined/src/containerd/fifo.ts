import { constants, rm } from "node:fs/promises";
import { openSync } from "node:fs";
import { Socket } from "node:net";
import type { LogRing } from "../logs/log-ring.ts";

/**
 * Reads what a container prints through a named pipe.
 *
 * Opened for both directions, so that the pipe never ends while the container restarts, and without blocking, so that reading needs
 * no thread. Disposing closes and removes it.
 */
export function readFifo(path: string, log: LogRing): AsyncDisposable {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.on("data", (chunk: Buffer) => log.write(chunk));
  socket.on("error", () => socket.destroy());
  return {
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await rm(path, { force: true });
    },
  };
}
