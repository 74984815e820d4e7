import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";
import { makeFolder } from "@talos-ts/host";

export interface WriteOptions {
  /** Replaces what is there. @default {false} */
  readonly force?: boolean;
  /** @default {0o600} */
  readonly mode?: number;
}

/**
 * Writes a file that a command made, and the folders above it.
 *
 * @throws `cli/file-exists` unless told to replace it.
 */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const { force = false, mode = 0o600 } = options;
  await makeFolder(dirname(path));
  const handle = await open(path, force ? "w" : "wx", mode).catch((err: NodeJS.ErrnoException) => {
    throw err.code === "EEXIST" ? exists(path) : err;
  });
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** @throws `cli/file-exists` when one of the files is there, before anything is written. */
export async function checkNoFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const handle = await open(path, "r").catch((err: NodeJS.ErrnoException) => {
      if (err.code === "ENOENT") return undefined;
      throw err;
    });
    await handle?.close();
    if (handle !== undefined) throw exists(path);
  }
}

const exists = (path: string): OsError =>
  new OsError({
    kind: "already-exists",
    code: "cli/file-exists",
    message: `file ${JSON.stringify(path)} already exists, use --force to overwrite`,
  });
