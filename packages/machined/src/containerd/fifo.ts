import { constants, rm } from "node:fs/promises";
import { openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import type { LogRing } from "../logs/log-ring.ts";

/** Reads a named pipe into a log until it is disposed, which also removes the pipe. */
export interface FifoReader extends AsyncDisposable {
  /** Reads what is in the pipe now, without waiting for the event loop to get there. */
  drain(): void;
}

const pieceBytes = 64 * 1024;

/**
 * Reads what a container prints through a named pipe.
 *
 * Opened for both directions, so that the pipe never ends while the container restarts, and without blocking, so that reading needs
 * no thread.
 */
export function readFifo(path: string, log: LogRing): FifoReader {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.on("data", (chunk: Buffer) => log.write(chunk));
  socket.on("error", () => socket.destroy());
  return {
    drain() {
      // A closed descriptor may belong to somebody else by now.
      if (!socket.destroyed) readAll(fd, log);
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await rm(path, { force: true });
    },
  };
}

function readAll(fd: number, log: LogRing): void {
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    try {
      const bytes = readSync(fd, piece);
      if (bytes === 0) return;
      log.write(Buffer.from(piece.subarray(0, bytes)));
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "EAGAIN") return;
      throw err;
    }
  }
}
