import { celText } from "../cel/cel-text.ts";
import { bytes, convert, type Single } from "../dsl/index.ts";

/**
 * A CEL expression: its text for people, and its checked form (`google.api.expr.v1alpha1.CheckedExpr`) for the wire.
 *
 * `compileCel` in `@talos-ts/machinery/resources/cel` makes one from text; it is apart because a CEL parser is large.
 */
export interface CelExpression {
  readonly text: string;
  readonly checked: Uint8Array;
}

/** A CEL expression, on the wire as the protobuf message of its checked form. */
export const celExpression: Single<CelExpression> = convert<Uint8Array, CelExpression>(bytes, {
  zero: Object.freeze({ text: "", checked: bytes.zero }),
  isZero: (value) => value.text === "",
  from: (checked) => ({ text: celText(checked), checked }),
  to: (value) => value.checked,
  toPlain: (value) => value.text,
});
