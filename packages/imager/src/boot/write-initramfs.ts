import { Readable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import type { TarEntry } from "../images/tar-entry.ts";
import { writeCpio } from "./write-cpio.ts";

/** Contents of an initramfs. */
export interface InitramfsEntries {
  /** Entries that are compressed already; they come first, as they are. */
  readonly plain: readonly TarEntry[];
  /** Entries that are compressed together. */
  readonly packed: readonly TarEntry[];
}

/** Measured on Node.js: higher levels take several times as long for a few per cent. */
export const initramfsLevel = 12;

/**
 * Writes an initramfs of two archives, one after the other, as the kernel's documentation of its buffer format allows
 * (`Documentation/driver-api/early-userspace/buffer-format.rst`): what firmware has to load and keep in memory is less than half of it then.
 *
 * @param time Of all entries, in seconds since 1970.
 */
export async function* writeInitramfs(
  { plain, packed }: InitramfsEntries,
  time: number,
): AsyncGenerator<Buffer, void, undefined> {
  yield* writeCpio(plain, time);
  const params = { [constants.ZSTD_c_compressionLevel]: initramfsLevel };
  const compressed = Readable.from(writeCpio(packed, time)).compose(createZstdCompress({ params }));
  for await (const chunk of compressed) yield chunk as Buffer;
}
