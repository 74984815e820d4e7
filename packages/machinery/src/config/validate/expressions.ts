/** Checks of CEL expressions. The library takes a quarter of a second to load, so nothing imports it before it is needed. */

import type { ExpressionChecker, ExpressionEnvironment } from "./check.ts";

const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "kB", "MB", "GB", "TB", "PB", "EB"];
const classes = ["Besteffort", "Burstable", "Guaranteed", "Podruntime", "System"];

const pressure = ["memory_some", "memory_full"].flatMap((kind) =>
  ["avg10", "avg60", "avg300", "total"].flatMap((window) =>
    ["", "d_", "qos_", "d_qos_"].map((prefix) => `${prefix}${kind}_${window}`),
  ),
);
const usage = ["current", "peak", "max"].flatMap((what) =>
  ["qos_", "d_qos_"].map((prefix) => `${prefix}memory_${what}`),
);

/** Names an expression may use. */
const names: Readonly<Record<ExpressionEnvironment, ReadonlySet<string>>> = {
  disk: new Set(["disk", "system_disk", ...units]),
  volume: new Set(["volume", "disk", ...units]),
  link: new Set(["link"]),
  "oom-trigger": new Set([...pressure, ...usage, "time_since_trigger", ...units, ...classes]),
  "oom-ranking": new Set(["memory_max", "memory_current", "memory_peak", "path", "class", ...units, ...classes]),
};

interface Expression {
  readonly exprKind: { readonly case?: string | undefined; readonly value?: unknown };
}

/** Loads the checker: syntax, and names that do not exist in the environment. */
export async function loadExpressionChecker(): Promise<ExpressionChecker> {
  const { parse } = await import("@bufbuild/cel");
  return (expression, environment) => {
    try {
      const { expr } = parse(expression) as { readonly expr?: Expression };
      const unknown = [...identifiers(expr, new Set())].find((name) => !names[environment].has(name));
      return unknown === undefined ? undefined : `undeclared reference to '${unknown}'`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

/** Free identifiers anywhere in an expression; variables of comprehensions are bound, and so are not free. */
function* identifiers(node: unknown, bound: ReadonlySet<string>): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* identifiers(item, bound);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  const kind = (node as Partial<Expression>).exprKind;
  if (kind?.case === "identExpr") {
    const { name } = kind.value as { readonly name: string };
    if (!bound.has(name)) yield name;
    return;
  }
  const { iterVar, accuVar, iterVar2 } = (kind?.case === "comprehensionExpr" ? kind.value : {}) as Record<
    string,
    string
  >;
  const inner = new Set([...bound, ...[iterVar, iterVar2, accuVar].filter((name) => name !== undefined)]);
  for (const [key, child] of Object.entries(node)) {
    if (!key.startsWith("$")) yield* identifiers(child, inner);
  }
}
