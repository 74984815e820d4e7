import { randomBytes } from "node:crypto";

/**
 * Sortable ids of 20 characters, in the form clients of the event stream know: 4 bytes of time, 5 bytes that name the
 * process, 3 bytes of counter, in lower-case base32 (hex alphabet).
 */
const alphabet = "0123456789abcdefghijklmnopqrstuv";
const processId = randomBytes(5);
let counter = randomBytes(3).readUIntBE(0, 3);

export function createXid(nowMs: number): string {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.floor(nowMs / 1000), 0);
  processId.copy(bytes, 4);
  counter = (counter + 1) & 0xff_ff_ff;
  bytes.writeUIntBE(counter, 9, 3);

  let text = "";
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((pending >>> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  return text + alphabet.charAt((pending << (5 - bits)) & 31);
}

export function isXid(text: string): boolean {
  return /^[0-9a-v]{20}$/.test(text);
}
