import { parse } from "@bufbuild/cel";
import type { ExpressionChecker, ExpressionEnvironment } from "../check.ts";
import { checkTypes } from "./check-types.ts";
import { celEnvironment, type CelEnvironment } from "./environment.ts";
import { describeCelProblems, type CelProblem } from "./place.ts";
import { declaredNames, formatType } from "./type.ts";

/** Longer expressions are refused, as upstream does. */
const longest = 100_000;

/** Never throws, whatever the expression is; what it says is what cel-go says, and which types were expected. */
export function createExpressionChecker(): ExpressionChecker {
  const environments = new Map<ExpressionEnvironment, CelEnvironment>();

  function environmentOf(about: ExpressionEnvironment): CelEnvironment {
    const environment = environments.get(about) ?? celEnvironment(about);
    environments.set(about, environment);
    return environment;
  }

  return (expression, about) => {
    if (expression.length > longest) {
      return `expression code point size exceeds limit: size: ${expression.length}, limit ${longest}`;
    }
    const environment = environmentOf(about);
    try {
      const { type, problems } = checkTypes(expression, parse(expression), environment);
      if (problems.length > 0) return describeCelProblems(expression, problems);
      const [actual, expected] = [type, environment.result].map((shown) => formatType(shown, declaredNames));
      return actual === expected ? undefined : `expression output type is ${actual}, expected ${expected}`;
    } catch (error) {
      if (error instanceof RangeError) return "the expression is nested too deeply";
      return describeCelProblems(expression, [syntaxProblem(error)]);
    }
  };
}

/** Returns what the parser threw; it does not export the type. */
function syntaxProblem(error: unknown): CelProblem {
  const { rawMessage, message, location } = error as {
    readonly rawMessage?: string;
    readonly message?: string;
    readonly location?: { readonly start?: { readonly offset?: number } };
  };
  return { offset: location?.start?.offset ?? 0, message: `Syntax error: ${rawMessage ?? message ?? String(error)}` };
}
