import type { Runner } from "../runner.ts";

export interface ReplaceOptions<T> {
  /** Settings that the first run is made from. */
  readonly first: T;
  readonly create: (settings: T) => Runner;
  /** Resolves once there are other settings than the present ones. Ends with a failure only when the signal aborts. */
  readonly next: (present: T, signal: AbortSignal) => Promise<T>;
}

/** Runs a service and, when its settings change, stops it and runs it with the new ones. */
export function replaceRunner<T>({ first, create, next }: ReplaceOptions<T>): Runner {
  let current = create(first);
  return {
    describe: () => current.describe(),
    async run(report, signal) {
      for (let settings = first; ;) {
        const over = new AbortController();
        const replaced = new AbortController();
        let wanted: { readonly settings: T } | undefined;
        const following = next(settings, AbortSignal.any([signal, over.signal])).then(
          (other) => {
            wanted = { settings: other };
            replaced.abort();
          },
          () => undefined,
        );
        try {
          await current.run(report, AbortSignal.any([signal, replaced.signal]));
        } finally {
          over.abort();
          await following;
        }
        if (signal.aborted || wanted === undefined) return;
        report("preparing", "Settings changed, starting with the new ones");
        ({ settings } = wanted);
        current = create(settings);
      }
    },
  };
}
