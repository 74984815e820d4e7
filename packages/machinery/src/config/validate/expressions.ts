import type { ExpressionChecker } from "./check.ts";

/**
 * Loads the checker of CEL expressions: syntax, names, types, and what an expression gives. The library takes a quarter
 * of a second to load, so nothing imports it before it is needed.
 */
export async function loadExpressionChecker(): Promise<ExpressionChecker> {
  const { createExpressionChecker } = await import("./cel/checker.ts");
  return createExpressionChecker();
}
