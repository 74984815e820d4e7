import type { Peer } from "../peer.ts";

/** Counts the connections of each caller: by the key of its certificate, else by its address. */
export interface CallerConnections {
  /** Counts a connection; `undefined` when the caller has as many as it may. Disposing gives the place back. */
  enter(peer: Peer): Disposable | undefined;
}

export function createCallerConnections(maxPerCaller: number): CallerConnections {
  const counts = new Map<string, number>();
  return {
    enter(peer) {
      const caller = callerKey(peer);
      const count = counts.get(caller) ?? 0;
      if (count >= maxPerCaller) return undefined;
      counts.set(caller, count + 1);
      return {
        [Symbol.dispose]() {
          const left = (counts.get(caller) ?? 1) - 1;
          if (left === 0) counts.delete(caller);
          else counts.set(caller, left);
        },
      };
    },
  };
}

/** Names a caller for accounts of what it uses: the fingerprint of its certificate, else its address. */
export function callerKey({ tls, ip, address }: Peer): string {
  return tls?.authorized === true && tls.certificate !== undefined ? tls.certificate.fingerprint256 : (ip ?? address);
}
