import type { Socket } from "node:net";
import { createHandshakeQueue } from "./handshake-queue.ts";

export interface SilentSocketsOptions {
  /** Connections that have sent nothing, from all addresses. */
  readonly max: number;
  /** The same from one address. */
  readonly maxPerAddress: number;
  /** Time for the first byte. */
  readonly timeoutMs: number;
}

/**
 * Connections that have sent nothing yet.
 *
 * Such a connection costs a few kilobytes; one whose TLS handshake has begun costs ten times that and has few places. Kept apart,
 * those who connect and stay silent can only push each other out, never a client that has begun.
 */
export interface SilentSockets {
  /** Calls `begin` when the first bytes are here; they wait in the socket. */
  enter(socket: Socket, begin: () => void): void;
  clear(): void;
}

export function createSilentSockets({ max, maxPerAddress, timeoutMs }: SilentSocketsOptions): SilentSockets {
  const queue = createHandshakeQueue({ max, maxPerAddress });
  return {
    enter(socket, begin) {
      const giveUp = (): void => void socket.destroy();
      const leave = (): void => queue.leave(socket);
      queue.enter(socket);
      socket.setTimeout(timeoutMs, giveUp);
      socket.once("close", leave);
      socket.once("readable", () => {
        leave();
        socket.off("close", leave);
        socket.setTimeout(0);
        socket.off("timeout", giveUp);
        // Readable without a byte: the peer has hung up.
        if (socket.readableLength === 0) socket.destroy();
        else begin();
      });
    },
    clear: () => queue.clear(),
  };
}
