import type { Config } from "../config.ts";
import type { ExpressionChecker } from "./check.ts";
import { validateConfig, type ValidateOptions, type ValidationResult } from "./validate.ts";

/** Loads the checker of CEL expressions: syntax, names, types, and what an expression gives. */
export async function loadExpressionChecker(): Promise<ExpressionChecker> {
  const { createExpressionChecker } = await import("./cel/checker.ts");
  return createExpressionChecker();
}

/**
 * Validates a configuration with the expressions in it.
 *
 * Their library takes a quarter of a second to load and most configurations have none, so it is loaded for those that do.
 */
export async function validateWithExpressions(
  config: Config,
  options: Omit<ValidateOptions, "checkExpression">,
): Promise<ValidationResult> {
  let expressions = 0;
  const count = (): undefined => {
    expressions += 1;
  };
  const result = validateConfig(config, { ...options, checkExpression: count });
  if (expressions === 0) return result;
  return validateConfig(config, { ...options, checkExpression: await loadExpressionChecker() });
}
