/**
 * Resolves plain scalars as go-yaml does when nothing else is expected: neither YAML 1.1 nor 1.2. `0644` is octal and
 * `1_000` a number as in 1.1, but `yes` and `1:30` are strings as in 1.2.
 */

const words: ReadonlyMap<string, boolean | null | number> = new Map<string, boolean | null | number>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const integerForm = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;
const floatForm = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** @returns the value of a plain scalar; integers beyond the safe range are `bigint` */
export function resolveScalar(text: string): string | number | bigint | boolean | null {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  const plain = text.replaceAll("_", "");
  const digits = integerForm.exec(plain);
  if (digits !== null) return toInteger(digits);
  if (!floatForm.test(plain)) return text;
  const float = Number(plain);
  return Number.isFinite(float) ? float : text;
}

function toInteger([, sign, hex, octal, binary, decimal]: RegExpExecArray): number | bigint {
  const literal = hex ? `0x${hex}` : octal ? `0o${octal}` : binary ? `0b${binary}` : (decimal ?? "0");
  const magnitude = BigInt(literal);
  const value = sign === "-" ? -magnitude : magnitude;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

const timestampForm = /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(?:\.\d*)?.*)?$/;
const base60Form = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const oldBooleans = new Set(
  ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"].concat(["n", "N", "no", "No", "NO", "off", "Off", "OFF"]),
);

/** Reports whether a plain scalar is read as a string. */
export function isString(text: string): boolean {
  return resolveScalar(text) === text && text !== "<<" && !timestampForm.test(text);
}

/** Reports whether a string written plain would be read back as something else, by us or by an older YAML. */
export function isAmbiguous(text: string): boolean {
  return !isString(text) || oldBooleans.has(text) || base60Form.test(text);
}
