import { byKey, describeOperation, type Operation } from "./history.ts";
import { checkRegister } from "./linearizable.ts";

/** Operations that are shown before one that nothing explains. */
const shown = 5;

/** Checks the history of every register of a store. @returns a description of each that is not linearizable */
export function findViolations(store: string, history: readonly Operation[]): readonly string[] {
  const found: string[] = [];
  for (const [key, operations] of byKey(history)) {
    const { linearizable, order, unexplained } = checkRegister(operations);
    if (linearizable || unexplained === undefined) continue;
    const last = order.slice(-shown).map(describeOperation);
    found.push(`${store}: ${key} is not linearizable: ${describeOperation(unexplained)}, after ${last.join(", ")}`);
  }
  return found;
}
