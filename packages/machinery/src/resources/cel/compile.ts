import { parse } from "@bufbuild/cel";
import { CheckedExprSchema } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import { create, toBinary } from "@bufbuild/protobuf";
import { describeError, OsError } from "@talos-ts/base";
import type { CelExpression } from "../values/cel-expression.ts";

/**
 * A CEL expression from its text.
 *
 * The checked form carries no types: readers check it against their own environment, as they must in any case.
 *
 * @throws {OsError} when the text is not CEL
 */
export function compileCel(text: string): CelExpression {
  try {
    const { expr, sourceInfo } = parse(text);
    const checked = create(CheckedExprSchema, sourceInfo === undefined ? { expr } : { expr, sourceInfo });
    return { text, checked: toBinary(CheckedExprSchema, checked) };
  } catch (cause) {
    throw new OsError({
      kind: "invalid-argument",
      code: "resource/invalid-expression",
      message: `Parsing ${JSON.stringify(text)} as a CEL expression failed: ${describeError(cause)}`,
      cause,
    });
  }
}
