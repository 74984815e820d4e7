import { OsError } from "@talos-ts/base";

/** Values in a configuration: keys, items, scalars. The largest real ones have some thousands. */
const maxNodes = 50_000;
/** Mappings and lists inside each other. */
const maxDepth = 64;

/** @throws {OsError} `config/too-deep` or `config/too-many-values` */
export function checkBudgets(values: readonly unknown[]): void {
  let nodes = 0;
  const queue = values.map((value) => ({ value, depth: 1 }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { value, depth } = next;
    nodes += 1;
    if (depth > maxDepth) throw refused("config/too-deep", "the configuration is nested too deeply");
    if (nodes > maxNodes) {
      throw refused("config/too-many-values", `the configuration has more than ${String(maxNodes)} values`);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const inner of Object.values(value)) queue.push({ value: inner, depth: depth + 1 });
  }
}

function refused(code: string, message: string): OsError {
  return new OsError({ kind: "invalid-argument", code, message });
}
