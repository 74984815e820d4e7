const isDigit = (char: string): boolean => /[0-9]/.test(char);
const isLetter = (char: string): boolean => /\p{L}/u.test(char);

/**
 * The order in which Go's YAML writes the keys of a mapping: numbers inside names count as numbers, so `node-2` comes
 * before `node-10`, and signs come before letters.
 */
export function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  const length = Math.min(a.length, b.length);
  const at = a.findIndex((char, index) => index >= length || char !== b[index]);
  if (at === -1 || at >= length) return a.length - b.length;
  return compareFrom(a, b, at);
}

/** Compares where the two first differ. */
function compareFrom(a: readonly string[], b: readonly string[], at: number): number {
  const [x = "", y = ""] = [a[at], b[at]];
  if (isLetter(x) && isLetter(y)) return byCodePoint(x, y);
  if (isLetter(x) || isLetter(y)) {
    // Directly after a digit the letter comes first, as the other name goes on with a longer number or a sign.
    const afterDigit = at > 0 && isDigit(a[at - 1] ?? "");
    return isLetter(x) === afterDigit ? -1 : 1;
  }
  const padded = (x === "0" || y === "0") && hasSignificantDigitBefore(a, at);
  const [first, second] = [numberAt(a, at, padded), numberAt(b, at, padded)];
  return Number(first.value - second.value) || first.end - second.end || byCodePoint(x, y);
}

const byCodePoint = (x: string, y: string): number => (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);

function hasSignificantDigitBefore(chars: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0 && isDigit(chars[index] ?? ""); index -= 1) {
    if (chars[index] !== "0") return true;
  }
  return false;
}

/** The number that starts at `at`; `continued` when significant digits stand before it, so that zeros count. */
function numberAt(
  chars: readonly string[],
  at: number,
  continued: boolean,
): { readonly value: bigint; readonly end: number } {
  let end = at;
  while (end < chars.length && isDigit(chars[end] ?? "")) end += 1;
  return { value: BigInt(`${continued ? "1" : "0"}${chars.slice(at, end).join("")}`), end };
}
