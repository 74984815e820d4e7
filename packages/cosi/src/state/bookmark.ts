import { randomBytes } from "node:crypto";

/**
 * Positions in one event log as opaque bytes: 8 random bytes that name the log, then the position. A bookmark of another
 * log, or of an earlier run of the program, is thus recognised as foreign.
 */
export interface BookmarkCodec {
  encode(position: number): Uint8Array;
  /** The position, or `undefined` for bytes that are no bookmark of this log. */
  decode(bookmark: Uint8Array): number | undefined;
}

export function createBookmarkCodec(name: Uint8Array = randomBytes(8)): BookmarkCodec {
  const head = Buffer.from(name);
  return {
    encode(position) {
      const bytes = Buffer.allocUnsafe(16);
      head.copy(bytes);
      // The position before the first event is -1.
      bytes.writeInt32BE(Math.floor(position / 2 ** 32), 8);
      bytes.writeUInt32BE(position >>> 0, 12);
      return bytes;
    },
    decode(bookmark) {
      if (bookmark.length !== 16 || head.compare(bookmark, 0, 8) !== 0) return undefined;
      const bytes = Buffer.from(bookmark.buffer, bookmark.byteOffset, 16);
      return bytes.readInt32BE(8) * 2 ** 32 + bytes.readUInt32BE(12);
    },
  };
}
