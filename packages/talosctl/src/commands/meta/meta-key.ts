import { OsError } from "@talos-ts/base";

/**
 * Reads a key of META: one byte, as in `10` or `0x0a`.
 *
 * @throws `cli/bad-key`
 */
export function parseMetaKey(text: string): number {
  const key = /^(?:0x[0-9a-f]+|0o?[0-7]*|0b[01]+|[1-9]\d*)$/i.test(text) ? parse(text.toLowerCase()) : Number.NaN;
  if (key >= 0 && key <= 0xff) return key;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/bad-key",
    message: `Cannot use ${JSON.stringify(text)} as a key of META: expected a number from 0 to 255, as in 10 or 0x0a`,
    next: "talosctl get metakeys",
  });
}

function parse(text: string): number {
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
}
