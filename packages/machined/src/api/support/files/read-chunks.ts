import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { fileError } from "./file-error.ts";
import { pathOfText } from "./path-bytes.ts";

/** As much as one message carries. */
const chunkBytes = 64 * 1024;

/**
 * Opens a file without links in its path.
 *
 * Never waits: some files of /proc have no end, and opening a pipe would block until somebody writes.
 */
export async function openForReading(root: string, path: string): Promise<FileHandle> {
  try {
    return await open(pathOfText(`${root}${path}`), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (err) {
    throw fileError("open", path, err);
  }
}

/**
 * The contents, piece by piece; sizes are not believed, since files of /proc do not have one.
 *
 * A piece is valid until the next one is asked for, which is read into the same memory.
 */
export async function* readChunks(file: FileHandle, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  try {
    for (;;) {
      if (signal.aborted) return;
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (err) {
    throw fileError("read", path, err);
  }
}
