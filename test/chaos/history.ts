/** Content of a register; `undefined` when nothing was ever written. */
export type Value = string | undefined;

/** Action of a client on a register, with what it learned. A swap that found another value is a read of that value. */
export type Action =
  | { readonly kind: "read"; readonly observed: Value }
  | { readonly kind: "write"; readonly value: string }
  | { readonly kind: "swap"; readonly expected: Value; readonly value: string };

/** An operation of a client on one register. Values that are written are unique in a history. */
export interface Operation {
  readonly client: string;
  readonly key: string;
  readonly action: Action;
  /** Time at which the request was sent, in ms of a monotonic clock. */
  readonly invokedMs: number;
  /** Time at which the answer came, in ms; `Infinity` when none came, so that nobody knows whether the action happened. */
  readonly returnedMs: number;
}

/** Operations by the register they concern: a history is linearizable when that of every register is (Herlihy and Wing). */
export function byKey(history: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  return Map.groupBy(history, ({ key }) => key);
}

/** One operation in a line, for people. */
export function describeOperation({ client, key, action, invokedMs, returnedMs }: Operation): string {
  const what = {
    read: () => `read ${show(action.kind === "read" ? action.observed : undefined)}`,
    write: () => `write ${show(action.kind === "write" ? action.value : undefined)}`,
    swap: () => (action.kind === "swap" ? `swap ${show(action.expected)} for ${show(action.value)}` : ""),
  }[action.kind]();
  const until = returnedMs === Infinity ? "no answer" : returnedMs.toFixed(1);
  return `${client} ${key} ${what} [${invokedMs.toFixed(1)}, ${until}]`;
}

function show(value: Value): string {
  return value === undefined ? "nothing" : `"${value}"`;
}
