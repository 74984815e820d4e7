/**
 * Something a service waits for before it starts. `describe` is what a person reads in `talosctl service <id>`:
 * it names only what is still missing.
 */
export interface Condition {
  describe(): string;
  /** Resolves once the condition holds; rejects when the signal aborts or it can never hold. */
  wait(signal: AbortSignal): Promise<void>;
}

/** A condition from its text and a wait. */
export function condition(text: string, wait: (signal: AbortSignal) => Promise<void>): Condition {
  return { describe: () => text, wait };
}

/** Holds once all do; satisfied parts drop out of the text. */
export function allOf(...conditions: readonly Condition[]): Condition {
  const pending = new Set(conditions);
  return {
    describe: () =>
      [...pending]
        .map((part) => part.describe())
        .filter((text) => text !== "")
        .join(", "),
    async wait(signal) {
      await Promise.all(
        conditions.map(async (part) => {
          await part.wait(signal);
          pending.delete(part);
        }),
      );
    },
  };
}
