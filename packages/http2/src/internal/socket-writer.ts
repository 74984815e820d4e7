import type { Socket } from "node:net";
import { endsSlab, giveBack } from "./slab-pool.ts";

/** Unwritten bytes above which streams wait for the socket. */
const maxUnwrittenBytes = 256 * 1024;

/** Writes the output of a connection to its socket. */
export interface SocketWriter {
  write(chunks: readonly Buffer[]): void;
  /** Writes what is left, then closes the socket. */
  finish(chunks: readonly Buffer[]): void;
  /** True when streams should wait; `onRoom` follows. */
  readonly full: boolean;
}

/** Creates the writer that suits the socket. `onRoom` is called when a full socket takes more. */
export function createSocketWriter(socket: Socket, onRoom: () => void): SocketWriter {
  return "encrypted" in socket ? createTlsWriter(socket, onRoom) : createPlainWriter(socket, onRoom);
}

/** A plain socket takes many buffers in one system call. */
function createPlainWriter(socket: Socket, onRoom: () => void): SocketWriter {
  const write = (chunks: readonly Buffer[]): void => {
    if (chunks.length === 0 || socket.destroyed || socket.writableEnded) return;
    if (chunks.length > 1) socket.cork();
    for (const chunk of chunks) {
      if (endsSlab(chunk)) socket.write(chunk, () => giveBack(chunk));
      else socket.write(chunk);
    }
    if (chunks.length > 1) socket.uncork();
  };
  socket.on("drain", onRoom);
  return {
    write,
    finish(chunks) {
      write(chunks);
      socket.destroySoon();
    },
    get full() {
      return socket.writableLength >= maxUnwrittenBytes;
    },
  };
}

/**
 * TLS joins several buffers into a copy before it encrypts them, so that one at a time is faster; when it is encrypted, the buffer
 * is free for the next output.
 */
function createTlsWriter(socket: Socket, onRoom: () => void): SocketWriter {
  let waiting: Buffer[] = [];
  let unwritten = 0;
  let full = false;
  let current: Buffer | undefined;

  const next = (): void => {
    current = waiting.shift();
    if (current !== undefined && !socket.destroyed) socket.write(current, written);
  };
  const written = (error?: Error | null): void => {
    if (current === undefined || (error !== undefined && error !== null)) return;
    unwritten -= current.length;
    giveBack(current);
    next();
    if (!full || unwritten > maxUnwrittenBytes / 2) return;
    full = false;
    onRoom();
  };
  return {
    write(chunks) {
      if (chunks.length === 0 || socket.destroyed || socket.writableEnded) return;
      for (const chunk of chunks) {
        unwritten += chunk.length;
        waiting.push(chunk);
      }
      // Once full it stays so until `onRoom`, which those who wait for it are owed.
      full ||= unwritten >= maxUnwrittenBytes;
      if (current === undefined) next();
    },
    finish(chunks) {
      const rest = [...waiting, ...chunks];
      waiting = [];
      if (!socket.destroyed && !socket.writableEnded) for (const chunk of rest) socket.write(chunk);
      socket.destroySoon();
    },
    get full() {
      return full;
    },
  };
}
