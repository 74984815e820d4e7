import { cryptoError } from "../errors.ts";

/** Labels of the PEM blocks the system reads and writes. */
export const pemLabels = {
  certificate: "CERTIFICATE",
  certificateRequest: "CERTIFICATE REQUEST",
  pkcs8: "PRIVATE KEY",
  ed25519: "ED25519 PRIVATE KEY",
  ec: "EC PRIVATE KEY",
  rsa: "RSA PRIVATE KEY",
  publicKey: "PUBLIC KEY",
} as const;

/** A PEM block (RFC 7468): its label and its contents. */
export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

/** One block, in lines of 64 characters, with a final newline. */
export function encodePem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der).toString("base64");
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

const begin = /^-----BEGIN ([A-Z0-9 ]+)-----$/;
const header = /^[A-Za-z0-9-]+: /;

/**
 * All blocks in `text`, in order; text between blocks is skipped.
 *
 * @throws `crypto/bad-pem` when a block has no end, headers (encrypted keys have them), or is not base64.
 */
export function decodePem(text: string): PemBlock[] {
  const lines = text.split("\n").map((line) => line.trim());
  const blocks: PemBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const label = begin.exec(lines[index] ?? "")?.[1];
    if (label === undefined) continue;
    const end = lines.indexOf(`-----END ${label}-----`, index);
    if (end === -1) throw cryptoError("crypto/bad-pem", `PEM block "${label}" has no end line`);
    blocks.push({ label, der: decodeBody(label, lines.slice(index + 1, end)) });
    index = end;
  }
  return blocks;
}

function decodeBody(label: string, lines: readonly string[]): Buffer {
  if (lines.some((line) => header.test(line))) {
    throw cryptoError("crypto/bad-pem", `PEM block "${label}" has headers; encrypted keys are not supported`);
  }
  const base64 = lines.join("");
  if (base64.length === 0 || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw cryptoError("crypto/bad-pem", `PEM block "${label}" is not base64`);
  }
  return Buffer.from(base64, "base64");
}

/**
 * The first block of `text` whose label is one of `labels`.
 *
 * @throws `crypto/bad-pem` when there is none.
 */
export function firstPemBlock(text: string, ...labels: readonly string[]): PemBlock {
  const blocks = decodePem(text);
  const block = blocks.find(({ label }) => labels.includes(label));
  if (block !== undefined) return block;
  const found = blocks.length === 0 ? "no PEM block" : blocks.map(({ label }) => `"${label}"`).join(", ");
  throw cryptoError("crypto/bad-pem", `Expected a PEM block "${labels.join('" or "')}", found ${found}`);
}
