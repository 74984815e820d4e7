import { randomBytes } from "node:crypto";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeFrame, encodeHeader, headerBytes, type LogHeader } from "./frame.ts";
import { replayLog } from "./replay.ts";

/** An append-only file that survives power cuts: after any of them it holds what was written, or what was before. */
export interface LogFile extends AsyncDisposable {
  /** Bytes in use. */
  readonly size: number;
  /** Resolves when the body is on disk. Rejecting leaves the file as it was. */
  append(body: Uint8Array): Promise<void>;
  /** Puts a new file with one body in its place. Rejecting leaves a file with the same contents. */
  replace(body: Uint8Array): Promise<void>;
}

/**
 * Opens a log and hands every body in it to `replay`, oldest first. The file belongs to one process at a time.
 *
 * @throws {OsError} `cosi/log-corrupt`, `cosi/log-format`
 */
export async function openLogFile(path: string, replay: (body: Buffer) => void): Promise<LogFile> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  let log = await openExisting(path, replay);
  /** True when the name of the file may still lead to its predecessor after a power cut. */
  let moved = log === undefined;
  log ??= await writeNew(path, draft);
  let { handle, header, sequence, size } = log;

  async function settleName(): Promise<void> {
    if (!moved) return;
    await syncDirectory(dirname(path));
    moved = false;
  }

  async function append(body: Uint8Array): Promise<void> {
    await settleName();
    const frame = encodeFrame(header, sequence, body);
    try {
      await writeAll(handle, frame, size);
      await handle.datasync();
    } catch (err) {
      // A partial frame would make the next one unreadable: truncate it.
      await handle.truncate(size);
      throw err;
    }
    sequence += 1;
    size += frame.length;
  }

  return {
    get size() {
      return size;
    },
    append,
    async replace(body) {
      const next = await writeNew(path, draft, body);
      const old = handle;
      ({ handle, header, sequence, size } = next);
      moved = true;
      await old.close();
      await settleName();
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

interface OpenLog {
  readonly handle: FileHandle;
  readonly header: LogHeader;
  readonly sequence: number;
  readonly size: number;
}

async function openExisting(path: string, replay: (body: Buffer) => void): Promise<OpenLog | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, "r+");
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw err;
  }
  try {
    const file = await handle.readFile();
    const { header, bodies, sequence, end } = replayLog(file, path);
    if (header === undefined) {
      await handle.close();
      return undefined;
    }
    for (const body of bodies) replay(body);
    if (end < file.length) {
      await handle.truncate(end);
      await handle.datasync();
    }
    return { handle, header, sequence, size: end };
  } catch (err) {
    await handle.close();
    throw err;
  }
}

/**
 * Writes a whole file beside the old one and moves it there: under its name a file is always complete. The move itself
 * is on disk only when the directory is.
 */
async function writeNew(path: string, draft: string, body?: Uint8Array): Promise<OpenLog> {
  const header: LogHeader = { id: randomBytes(8) };
  const frames = body === undefined ? [] : [encodeFrame(header, 0, body)];
  const bytes = Buffer.concat([encodeHeader(header), ...frames]);
  const handle = await open(draft, "w+", 0o600);
  try {
    await writeAll(handle, bytes, 0);
    await handle.sync();
    await rename(draft, path);
  } catch (err) {
    await handle.close();
    throw err;
  }
  return { handle, header, sequence: frames.length, size: Math.max(bytes.length, headerBytes) };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, "r");
  await directory.sync();
}
