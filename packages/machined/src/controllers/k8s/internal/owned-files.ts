import { chown, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Files of one pod, by name; only its user may read them. */
export interface OwnedFolder {
  readonly path: string;
  /** User and group. */
  readonly owner: number;
  readonly files: Readonly<Record<string, string>>;
}

export interface FileTarget {
  /** Prefix of all paths, for tests. */
  readonly root: string;
  /** Gives a file to a user and a group. @default {chown} */
  readonly setOwner?: (path: string, uid: number, gid: number) => Promise<void>;
}

/**
 * Makes a folder hold these files. One that has its contents already is not touched, so that the programs that watch it see only
 * real changes; others are replaced in one step.
 */
export async function writeOwnedFiles({ root, setOwner = chown }: FileTarget, folder: OwnedFolder): Promise<void> {
  const path = join(root, folder.path);
  await mkdir(path, { recursive: true, mode: 0o755 });
  for (const [name, contents] of Object.entries(folder.files)) {
    const file = join(path, name);
    if ((await readFile(file, "utf8").catch(() => undefined)) === contents) continue;
    const fresh = `${file}.new`;
    await writeFile(fresh, contents, { mode: 0o400 });
    await setOwner(fresh, folder.owner, folder.owner);
    await rename(fresh, file);
  }
}
