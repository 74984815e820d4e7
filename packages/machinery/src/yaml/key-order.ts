const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * The order in which Go's YAML prints the keys of a map: by character, except that numbers inside names count as numbers
 * (`eth2` before `eth10`), and that other signs stand before letters, but after them where a number precedes.
 */
export function compareKeys(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  let afterDigit = false;
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const l = left[at] ?? "";
    const r = right[at] ?? "";
    if (l === r) {
      afterDigit = digit.test(l);
      continue;
    }
    const leftIsLetter = letter.test(l);
    const rightIsLetter = letter.test(r);
    if (leftIsLetter && rightIsLetter) return compareCodes(l, r);
    if (leftIsLetter || rightIsLetter) return leftIsLetter === afterDigit ? -1 : 1;
    return compareNumbers(left, right, at) || compareCodes(l, r);
  }
  return left.length - right.length;
}

/** Compares the digits from `at` on as numbers; a zero only counts when the number has begun before it. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const started = left[at] === "0" || right[at] === "0" ? numberStartedBefore(left, at) : false;
  const l = digitsFrom(left, at);
  const r = digitsFrom(right, at);
  const prefix = started ? "1" : "0";
  const difference = BigInt(prefix + l) - BigInt(prefix + r);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return l.length - r.length;
}

function numberStartedBefore(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0; index--) {
    const character = characters[index] ?? "";
    if (!digit.test(character)) return false;
    if (character !== "0") return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], at: number): string {
  let digits = "";
  for (const character of characters.slice(at)) {
    if (character < "0" || character > "9") break;
    digits += character;
  }
  return digits;
}

function compareCodes(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}
