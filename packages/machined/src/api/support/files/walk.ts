import type { Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { OsError } from "@talos-ts/base";
import { fileError } from "./file-error.ts";
import { pathOfText, textOfName } from "./path-bytes.ts";

/** One thing below the path that is walked, or the reason why it cannot be seen. */
export interface FoundFile {
  /** As the node sees it; bytes that are no text are escaped, see `path-bytes.ts`. */
  readonly path: string;
  /** From where the walk began; `.` for a folder it began at. */
  readonly relative: string;
  /** Folders between it and the beginning. */
  readonly depth: number;
  readonly stats: Stats | undefined;
  /** Target of a link. */
  readonly link: string;
  readonly error: OsError | undefined;
}

export interface WalkOptions {
  /** Prefix of all paths; empty on a machine. */
  readonly root: string;
  /** Folders this deep are named but not entered. @default all are entered */
  readonly maxDepth?: number;
  readonly signal: AbortSignal;
}

/** Everything from a path without links downwards, folders before what is in them, names in order. Links are not followed. */
export async function* walk(path: string, options: WalkOptions): AsyncGenerator<FoundFile> {
  const first = await look(path, options.root, ".", 0);
  const isFolder = first.stats?.isDirectory() === true;
  yield isFolder ? first : { ...first, relative: basename(path) };
  if (isFolder) yield* below(first, options);
}

async function* below(folder: FoundFile, options: WalkOptions): AsyncGenerator<FoundFile> {
  const { root, maxDepth = Infinity, signal } = options;
  const path = pathOfText(`${root}${folder.path}`);
  const names = await readdir(path, { encoding: "buffer" }).catch((err: unknown) =>
    fileError("open", folder.path, err),
  );
  if (!Array.isArray(names)) {
    yield { ...folder, error: names };
    return;
  }
  for (const name of names.map(textOfName).toSorted()) {
    if (signal.aborted) return;
    const relative = folder.relative === "." ? name : `${folder.relative}/${name}`;
    const found = await look(join(folder.path, name), root, relative, folder.depth + 1);
    yield found;
    if (found.stats?.isDirectory() === true && found.depth < maxDepth) yield* below(found, options);
  }
}

async function look(path: string, root: string, relative: string, depth: number): Promise<FoundFile> {
  const place = { path, relative, depth };
  try {
    const bytes = pathOfText(`${root}${path}`);
    const stats = await lstat(bytes);
    const link = stats.isSymbolicLink() ? textOfName(await readlink(bytes, { encoding: "buffer" })) : "";
    return { ...place, stats, link, error: undefined };
  } catch (err) {
    return { ...place, stats: undefined, link: "", error: fileError("lstat", path, err) };
  }
}
