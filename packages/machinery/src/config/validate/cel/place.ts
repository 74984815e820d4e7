import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";

/** Something wrong in an expression, at an offset. */
export interface CelProblem {
  readonly offset: number;
  readonly message: string;
}

/** Returns where an expression is shown: at its operator, its name, or the bracket behind the name of what it calls. */
export function placeOf(source: string, positions: Readonly<Record<string, number>>, expr: Expr): number {
  const { exprKind } = expr;
  const offset = positions[String(expr.id)] ?? 0;
  const isCall = exprKind.case === "callExpr" && /^[A-Za-z]/.test(exprKind.value.function);
  const isTest = exprKind.case === "selectExpr" && exprKind.value.testOnly;
  const isMacro = source[offset] === "." && exprKind.case !== "selectExpr";
  if (isCall || isTest || isMacro) return Math.max(offset, source.indexOf("(", offset));
  const isChoice = exprKind.case === "callExpr" && exprKind.value.function === "_?_:_";
  const chosen = isChoice ? exprKind.value.args[1] : undefined;
  if (chosen !== undefined) return Math.max(offset, source.lastIndexOf("?", startOf(positions, chosen)));
  return offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0);
}

/** Returns where the leftmost part of an expression stands. */
function startOf(positions: Readonly<Record<string, number>>, { id, exprKind }: Expr): number {
  const own = positions[String(id)] ?? 0;
  const left =
    exprKind.case === "callExpr"
      ? (exprKind.value.target ?? exprKind.value.args[0])
      : exprKind.case === "selectExpr"
        ? exprKind.value.operand
        : exprKind.case === "comprehensionExpr"
          ? exprKind.value.iterRange
          : undefined;
  return left === undefined ? own : Math.min(own, startOf(positions, left));
}

/** Nobody reads more at once. */
const mostProblems = 10;
const longestLine = 240;

/** Problems in the form of cel-go: the place, what is wrong, and the line with a mark under it. */
export function describeCelProblems(source: string, problems: readonly CelProblem[]): string {
  const lines = source.split("\n");
  const texts = problems
    .toSorted((left, right) => left.offset - right.offset)
    .slice(0, mostProblems)
    .map(({ offset, message }) => {
      const before = source.slice(0, offset).split("\n");
      const lead = Array.from(before.at(-1) ?? "");
      const shown = lines[before.length - 1] ?? "";
      const dots = lead.map((character) => (character > "\u007f" ? "．" : ".")).join("");
      const excerpt = shown.length > longestLine ? "" : `\n | ${shown}\n | ${dots}^`;
      return `ERROR: <input>:${before.length}:${lead.length + 1}: ${message}${excerpt}`;
    });
  const more = problems.length - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more errors`] : [])].join("\n");
}
