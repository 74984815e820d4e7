import type { FileHandle } from "node:fs/promises";
import { describeError, OsError } from "@talos-ts/base";
import { openForReading, readChunks } from "./read-chunks.ts";
import { tarEnd, tarHeader, tarKind, tarPadding } from "./tar-header.ts";
import type { FoundFile } from "./walk.ts";

export interface TarOptions {
  /** Prefix of all paths; empty on a machine. */
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Files of /proc have no size; this much is read to find one. */
const probeBytes = 1024 * 1024;
const firstProbeBytes = 4096;

/**
 * An archive of the files, piece by piece.
 *
 * What cannot be read is left out, and said at the end: the archive is whole by then.
 * @throws after the last piece, all reasons in one message
 */
export async function* tar(files: AsyncIterable<FoundFile>, options: TarOptions): AsyncGenerator<Buffer> {
  const problems: string[] = [];
  const skip: Skip = (path, reason) => void problems.push(`skipping ${JSON.stringify(path)}: ${describeError(reason)}`);
  for await (const file of files) {
    if (file.error !== undefined) skip(file.path, file.error);
    else yield* entry(file, options, skip);
  }
  yield tarEnd;
  if (problems.length === 0) return;
  const count = problems.length === 1 ? "1 error" : `${String(problems.length)} errors`;
  throw new OsError({
    kind: "unknown",
    code: "file/skipped",
    message: `${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join("")}\n`,
  });
}

type Skip = (path: string, reason: unknown) => void;

async function* entry(file: FoundFile, options: TarOptions, skip: Skip): AsyncGenerator<Buffer> {
  const { stats, path, relative, link } = file;
  if (stats === undefined) return;
  const kind = tarKind(stats);
  if (kind === undefined) {
    skip(path, "sockets not supported");
    return;
  }
  const head = { kind, stats, link, name: kind === "folder" ? `${relative}/` : relative };
  if (kind !== "file") {
    yield tarHeader({ ...head, size: 0 });
    return;
  }
  const handle = await openForReading(options.root, path).catch((err: unknown) => skip(path, err));
  if (handle === undefined) return;
  await using _handle = handle;
  if (stats.size > 0) {
    yield tarHeader({ ...head, size: stats.size });
    yield* contents(handle, path, stats.size, options.signal, skip);
    return;
  }
  const found = await probe(handle).catch((err: unknown) => skip(path, err));
  if (found === undefined) return;
  yield Buffer.concat([tarHeader({ ...head, size: found.length }), found, tarPadding(found.length)]);
}

/** Exactly as many bytes as the header has promised, whatever happens to the file meanwhile: readers count on it. */
async function* contents(
  handle: FileHandle,
  path: string,
  size: number,
  signal: AbortSignal,
  skip: Skip,
): AsyncGenerator<Buffer> {
  let left = size;
  try {
    for await (const chunk of readChunks(handle, path, signal)) {
      // A copy: what compresses the archive takes pieces ahead.
      const piece = Buffer.from(chunk.subarray(0, left));
      left -= piece.length;
      yield piece;
      if (left === 0) break;
    }
    if (left > 0) skip(path, "the file became shorter while it was read");
  } catch (err) {
    skip(path, err);
  }
  for (; left > 0; left -= probeBytes) yield Buffer.alloc(Math.min(left, probeBytes));
  yield tarPadding(size);
}

/** Returns what a file without a size holds, at most a limit of it. */
async function probe(handle: FileHandle): Promise<Buffer> {
  // Nearly all of them are small, and there are thousands of them.
  let buffer = Buffer.allocUnsafe(firstProbeBytes);
  let filled = 0;
  while (filled < probeBytes) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(filled * 4, probeBytes));
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
