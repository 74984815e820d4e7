import type { Action, Operation, Value } from "./history.ts";

/** Whether there is an order of the operations that explains what every client saw. */
export interface Verdict {
  readonly linearizable: boolean;
  /** The longest explanation that was found; all operations when the history is linearizable. */
  readonly order: readonly Operation[];
  /** An operation that no order explains together with those before it; absent when the history is linearizable. */
  readonly unexplained?: Operation;
}

/** An event of the history in a doubly linked list, so that an operation is taken out and put back in constant time. */
interface Entry {
  readonly operation: Operation;
  readonly id: bigint;
  readonly atMs: number;
  /** The event of the answer; absent on the answer itself. */
  readonly answer: Entry | undefined;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/** A register and the operations that were put in order to reach it. */
interface Step {
  readonly call: Entry;
  readonly state: Value;
}

/**
 * Looks for a linearization of the history of one register.
 *
 * The algorithm is that of Wing and Gong (Testing and verifying concurrent objects, 1993): go through the history, put any
 * operation in order whose effect fits before the first answer that is due, and go back when none fits. After Lowe (Testing
 * for linearizability, 2017) a pair of register and set of ordered operations is visited once.
 */
export function checkRegister(history: readonly Operation[], initial?: string): Verdict {
  const operations = withoutUnseen(history, initial);
  const head = linked(operations);
  const visited = new Set<string>();
  const steps: Step[] = [];
  let best: readonly Operation[] = [];
  let unexplained: Operation | undefined;
  let state: Value = initial;
  let ordered = 0n;
  let entry = head.next;
  while (entry !== undefined) {
    if (entry.answer !== undefined) {
      const next = apply(state, entry.operation.action, entry.operation.returnedMs === Infinity);
      const ids = ordered | entry.id;
      const key = next === undefined ? "" : `${ids.toString(36)} ${JSON.stringify(next.value) ?? ""}`;
      if (next === undefined || visited.has(key)) {
        entry = entry.next;
        continue;
      }
      visited.add(key);
      steps.push({ call: entry, state });
      ({ value: state } = next);
      ordered = ids;
      takeOut(entry);
      entry = head.next;
      continue;
    }
    // An answer is due whose operation fits nowhere.
    if (steps.length >= best.length) {
      best = steps.map(({ call }) => call.operation);
      unexplained = entry.operation;
    }
    const last = steps.pop();
    if (last === undefined) return { linearizable: false, order: best, ...(unexplained && { unexplained }) };
    ({ state } = last);
    ordered &= ~last.call.id;
    putBack(last.call);
    entry = last.call.next;
  }
  return { linearizable: true, order: steps.map(({ call }) => call.operation) };
}

/** The register after an action, or `undefined` when the client cannot have seen what it saw. */
function apply(state: Value, action: Action, unanswered: boolean): { readonly value: Value } | undefined {
  if (action.kind === "write") return { value: action.value };
  if (action.kind === "read") return state === action.observed ? { value: state } : undefined;
  if (state === action.expected) return { value: action.value };
  // Without an answer it may have been refused.
  return unanswered ? { value: state } : undefined;
}

/**
 * Leaves out actions without an answer whose value nobody saw: in any order that explains the others they can be missing. Values
 * are unique, so nothing else hangs on them.
 */
function withoutUnseen(history: readonly Operation[], initial: Value): readonly Operation[] {
  const seen = new Set<Value>([initial]);
  for (const { action } of history) {
    if (action.kind === "read") seen.add(action.observed);
    if (action.kind === "swap") seen.add(action.expected);
  }
  return history.filter(
    ({ action, returnedMs }) =>
      returnedMs !== Infinity || (action.kind !== "read" && seen.has(action.value) && action.value !== initial),
  );
}

/** Events in the order of time after a head that is none; at the same moment requests come before answers. */
function linked(operations: readonly Operation[]): { next: Entry | undefined } {
  const entries = operations.flatMap((operation, index): Entry[] => {
    const shared = { operation, id: 1n << BigInt(index), previous: undefined, next: undefined };
    const answer: Entry = { ...shared, atMs: operation.returnedMs, answer: undefined };
    return [{ ...shared, atMs: operation.invokedMs, answer }, answer];
  });
  entries.sort(
    (left, right) =>
      compare(left.atMs, right.atMs) || Number(left.answer === undefined) - Number(right.answer === undefined),
  );
  for (const [index, entry] of entries.entries()) {
    entry.previous = entries[index - 1];
    entry.next = entries[index + 1];
  }
  const [first] = entries;
  const head: Entry = {
    operation: { client: "", key: "", action: { kind: "read", observed: undefined }, invokedMs: 0, returnedMs: 0 },
    id: 0n,
    atMs: 0,
    answer: undefined,
    previous: undefined,
    next: first,
  };
  if (first !== undefined) first.previous = head;
  return head;
}

/** `Infinity` minus itself is no number. */
function compare(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

function takeOut(call: Entry): void {
  for (const entry of [call, call.answer]) {
    if (entry?.previous !== undefined) entry.previous.next = entry.next;
    if (entry?.next !== undefined) entry.next.previous = entry.previous;
  }
}

/** Undoes `takeOut`, in the opposite order. */
function putBack(call: Entry): void {
  for (const entry of [call.answer, call]) {
    if (entry?.previous !== undefined) entry.previous.next = entry;
    if (entry?.next !== undefined) entry.next.previous = entry;
  }
}
