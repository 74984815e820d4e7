/**
 * Paths as text in which every byte survives: file names are bytes, and the API has strings.
 *
 * A byte that is no part of UTF-8 text is written `\xe9`. So is the backslash of a name that really has these characters, which
 * makes every text stand for one name only.
 */
export function textOfName(name: Buffer): string {
  const text = name.toString("utf8");
  if (!text.includes("\uFFFD") && !text.includes("\\x")) return text;
  let out = "";
  for (let at = 0; at < name.length;) {
    const length = sequenceLength(name, at);
    const piece = name.subarray(at, at + Math.max(1, length));
    const looksEscaped = /^\\x[0-9a-f]{2}$/.test(name.toString("latin1", at, at + 4));
    out +=
      length === 0 || looksEscaped ? `\\x${(name[at] ?? 0).toString(16).padStart(2, "0")}` : piece.toString("utf8");
    at += piece.length;
  }
  return out;
}

/** The path behind a text of {@link textOfName}: as it is, unless it has bytes that are no text. */
export function pathOfText(text: string): string | Buffer {
  if (!/\\x[0-9a-f]{2}/.test(text)) return text;
  const parts = text.split(/\\x([0-9a-f]{2})/);
  return Buffer.concat(parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, "hex"))));
}

/** Bytes of the UTF-8 character that starts here; zero when none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  const piece = bytes.subarray(at, at + length);
  return piece.length === length && Buffer.from(piece.toString("utf8")).equals(piece) ? length : 0;
}
