import { createReadStream } from "node:fs";
import { OsError } from "@talos-ts/base";

/** Bytes, or where they are read from. */
export type Content = Uint8Array | { readonly from: string; readonly size: number };

export function contentSize(content: Content): number {
  return content instanceof Uint8Array ? content.byteLength : content.size;
}

/**
 * Reads content in pieces.
 *
 * @param name For the message.
 * @throws OsError `image/changed` when a file does not have the size that was promised.
 */
export async function* readContent(content: Content, name: string): AsyncGenerator<Buffer, void, undefined> {
  if (content instanceof Uint8Array) {
    yield Buffer.from(content);
    return;
  }
  let read = 0;
  for await (const chunk of createReadStream(content.from, { highWaterMark: 1 << 20 })) {
    read += (chunk as Buffer).byteLength;
    yield chunk as Buffer;
  }
  if (read === content.size) return;
  throw new OsError({
    kind: "aborted",
    code: "image/changed",
    message: `Cannot pack "${name}": expected ${String(content.size)} bytes, got ${String(read)}`,
  });
}
