import { createHash } from "node:crypto";

const seal = /\n# checksum: sha256:([0-9a-f]{64})\n$/;

/** The contents of `config.yaml`: the configuration, and a comment at its end with the checksum of everything before it. */
export function sealConfig(text: string): string {
  const body = text.endsWith("\n") ? text : `${text}\n`;
  return `${body}# checksum: sha256:${digest(body)}\n`;
}

/**
 * Reads what {@link sealConfig} wrote.
 *
 * A file without a checksum is taken as it is: other systems write it so. One whose checksum does not fit was changed by
 * nobody who knew of it: a bad disk, or half of a write.
 */
export function openSealed(bytes: Uint8Array): { readonly text: Uint8Array } | { readonly damaged: string } {
  const tail = Buffer.from(bytes).subarray(-90).toString("latin1");
  const found = seal.exec(tail);
  if (found === null) return { text: bytes };
  const end = bytes.length - (tail.length - found.index) + 1;
  const body = bytes.subarray(0, end);
  const [, expected = ""] = found;
  const actual = digest(body);
  return actual === expected
    ? { text: body }
    : { damaged: `the file is damaged: expected checksum ${expected.slice(0, 16)}…, got ${actual.slice(0, 16)}…` };
}

function digest(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
