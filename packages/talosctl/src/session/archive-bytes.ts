import { nodeErrorOf } from "@talos-ts/machinery/client";
import type { Data } from "@talos-ts/proto/common/common";

/** The bytes of an archive that a node sends. */
export interface ArchiveBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** @throws what the node said at the end: files that it left out, or why there is no more */
  readonly rethrow: () => void;
}

/** Keeps the error of the node until the end: it says what was left out after the archive has arrived whole. */
export function archiveBytes(stream: AsyncIterable<Data>): ArchiveBytes {
  let failure: { readonly error: unknown } | undefined;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const message of stream) {
        const error = nodeErrorOf(message);
        if (error !== undefined) throw error;
        if (message.bytes.length > 0) yield message.bytes;
      }
    } catch (error) {
      failure = { error };
    }
  }
  return {
    bytes: bytes(),
    rethrow() {
      if (failure !== undefined) throw failure.error;
    },
  };
}
