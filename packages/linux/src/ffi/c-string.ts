import { OsError } from "@talos-ts/base";

/** A text as the kernel reads it. A NUL inside would silently cut it, so it is refused. */
export function cString(text: string): Buffer {
  if (text.includes("\0")) {
    throw new OsError({
      kind: "invalid-argument",
      code: "linux/nul-in-string",
      message: `Cannot pass ${JSON.stringify(text)} to the kernel: it contains a NUL`,
    });
  }
  return Buffer.from(`${text}\0`);
}

/** The text up to the first NUL. */
export function fromCString(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(bytes.buffer, bytes.byteOffset, end < 0 ? bytes.length : end).toString();
}
