/** Deliveries that run, one for each receiver that is wanted. Disposing ends them. */
export interface ReceiverSet<T> extends Disposable {
  /** Ends what is no longer wanted and starts what does not run yet; the signal of a delivery aborts when it is to end. */
  set(wanted: ReadonlyMap<string, T>, start: (receiver: T, signal: AbortSignal) => void): void;
}

/** @param signal ends all of them too */
export function createReceiverSet<T>(signal: AbortSignal): ReceiverSet<T> {
  const running = new Map<string, AbortController>();
  const stop = (id: string): void => {
    running.get(id)?.abort();
    running.delete(id);
  };
  return {
    set(wanted, start) {
      for (const id of running.keys()) if (!wanted.has(id)) stop(id);
      for (const [id, receiver] of wanted) {
        if (running.has(id)) continue;
        const abort = new AbortController();
        running.set(id, abort);
        start(receiver, AbortSignal.any([abort.signal, signal]));
      }
    },
    [Symbol.dispose]: () => [...running.keys()].forEach(stop),
  };
}
