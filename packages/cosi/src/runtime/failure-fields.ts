import { describeError } from "@talos-ts/base";
import type { LogFields } from "../controller.ts";

/** Errors that only a mistake in the code can cause; where it was made is what matters about them. */
const mistakes = [TypeError, ReferenceError, RangeError, SyntaxError];

export function failureFields(error: unknown): LogFields {
  const stack = mistakes.some((kind) => error instanceof kind) ? { stack: (error as Error).stack } : {};
  return { error: describeError(error), ...stack };
}
