import type { Socket } from "node:net";

export interface HandshakeQueueOptions {
  /** Handshakes under way at once, from all addresses. */
  readonly max: number;
  /** Handshakes under way at once from one address. */
  readonly maxPerAddress: number;
}

/**
 * Connections that have not proved who they are yet.
 *
 * They are counted apart from those that have, and a new one always gets a place: the oldest of the same address loses its own when
 * the address has too many, else the oldest of all. A client that is about to finish is younger than one that stays silent.
 */
export interface HandshakeQueue {
  enter(socket: Socket): void;
  /** The handshake is over, well or badly. */
  leave(socket: Socket): void;
  /** Ends all of them. */
  clear(): void;
  readonly size: number;
}

export function createHandshakeQueue({ max, maxPerAddress }: HandshakeQueueOptions): HandshakeQueue {
  /** Oldest first. */
  const all = new Map<string, Socket>();
  const byAddress = new Map<string, Map<string, Socket>>();

  function drop(key: string, address: string): void {
    all.delete(key);
    const same = byAddress.get(address);
    same?.delete(key);
    if (same?.size === 0) byAddress.delete(address);
  }

  function evict(oldest: Socket | undefined): void {
    if (oldest === undefined) return;
    drop(keyOf(oldest), addressOf(oldest));
    oldest.destroy();
  }

  return {
    get size() {
      return all.size;
    },
    enter(socket) {
      const address = addressOf(socket);
      const same = byAddress.get(address) ?? new Map<string, Socket>();
      if (same.size >= maxPerAddress) evict(same.values().next().value);
      else if (all.size >= max) evict(all.values().next().value);
      byAddress.set(address, same);
      same.set(keyOf(socket), socket);
      all.set(keyOf(socket), socket);
    },
    leave: (socket) => drop(keyOf(socket), addressOf(socket)),
    clear() {
      for (const socket of all.values()) socket.destroy();
      all.clear();
      byAddress.clear();
    },
  };
}

/** The TLS socket and the one below it are different objects; both have the same peer. A closed socket keeps its port. */
function keyOf(socket: Socket): string {
  return `${addressOf(socket)} ${String(socket.remotePort)}`;
}

function addressOf(socket: Socket): string {
  return String(socket.remoteAddress);
}
