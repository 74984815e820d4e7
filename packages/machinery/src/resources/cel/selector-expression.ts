import { celEnv, celFunc, CelScalar, isCelError, parse, plan, type CelInput } from "@bufbuild/cel";
import { createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";

/** Reports whether an expression holds for these values. @throws {OsError} `resource/expression-failed` */
export type SelectorExpression = (values: Readonly<Record<string, CelInput>>) => boolean;

/** Environment of an expression that chooses something. */
export interface SelectorEnvironment {
  /** Messages that its variables have. */
  readonly messages: readonly DescMessage[];
  readonly functions: readonly ReturnType<typeof celFunc>[];
  /** Command that shows what can be chosen. */
  readonly next: string;
}

/** The function `glob` of expressions: whether a text is like a pattern. */
export type Glob = (pattern: string, text: string) => boolean;

/** Makes the function `glob` known to expressions. */
export function globFunction(glob: Glob): ReturnType<typeof celFunc> {
  const { STRING, BOOL } = CelScalar;
  return celFunc("glob", [STRING, STRING], BOOL, (pattern, text) => glob(pattern, text));
}

/**
 * Makes a function of a CEL expression that chooses something.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function selectorExpression(text: string, environment: SelectorEnvironment): SelectorExpression {
  const { messages, functions, next } = environment;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw failed(text, cause, next);
    }
  };
  const evaluate = attempt(() => {
    const env = celEnv({ registry: createRegistry(...messages), funcs: [...functions] });
    return plan(env, parse(text));
  });
  return (values) => {
    const result = attempt(() => evaluate(values));
    if (isCelError(result)) throw failed(text, result, next);
    return result === true;
  };
}

function failed(text: string, cause: unknown, next: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "resource/expression-failed",
    message: `Evaluating ${JSON.stringify(text)} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
    next,
  });
}
