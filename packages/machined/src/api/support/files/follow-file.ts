import { stat, watch, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { openForReading } from "./read-chunks.ts";
import { tailOffset } from "./tail-offset.ts";

export interface FollowOptions {
  /** Prefix of all paths; empty on a machine. */
  readonly root: string;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
  /** Waits for more instead of ending. @default {false} */
  readonly follow?: boolean;
  /** Only the last lines; negative means everything. @default {-1} */
  readonly tailLines?: number;
}

const chunkBytes = 64 * 1024;

/** A file of lines, and what is added to it; a file that takes its place is read from its beginning. */
export async function* followFile(path: string, options: FollowOptions): AsyncGenerator<Buffer> {
  const { root, signal, follow = false, tailLines = -1 } = options;
  // Watched before the present is read, so that nothing falls between the two.
  const changes = follow ? watchFolder(dirname(`${root}${path}`), signal) : undefined;
  let file = await openForReading(root, path);
  try {
    let position = await tailOffset(file, tailLines);
    for (;;) {
      for await (const chunk of readFrom(file, position, signal)) {
        position += chunk.length;
        yield chunk;
      }
      if (changes === undefined || !(await changes())) return;
      const [here, open] = [await stat(`${root}${path}`).catch(() => undefined), await file.stat()];
      if (open.size < position) position = 0;
      if (here === undefined || here.ino === open.ino) continue;
      yield* readFrom(file, position, signal);
      await file.close();
      file = await openForReading(root, path);
      position = 0;
    }
  } finally {
    await file.close();
  }
}

async function* readFrom(file: FileHandle, start: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = start; !signal.aborted;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** @returns a function that waits for the next change; `false` once the signal is aborted */
function watchFolder(folder: string, signal: AbortSignal): () => Promise<boolean> {
  const events = watch(folder, { signal })[Symbol.asyncIterator]();
  const wait = (): Promise<boolean> =>
    events.next().then(
      ({ done }) => done !== true,
      () => false,
    );
  let next = wait();
  return async () => {
    const changed = await next;
    if (changed) next = wait();
    return changed;
  };
}
