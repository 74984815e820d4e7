import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { OsError } from "@talos-ts/base";
import { isElf, readElf } from "./elf.ts";

export interface Selection {
  /** Folder with the extracted packages. */
  readonly root: string;
  /** Folders that hold libraries, relative to the root, first match wins. */
  readonly libraryFolders: readonly string[];
  /** Programs and plain files to take, relative to the root. */
  readonly files: readonly string[];
  /** Folders to take whole. */
  readonly trees: readonly string[];
  /** Libraries to take by name, whether or not a file asks for them. */
  readonly libraries: readonly string[];
}

/** Folders that are links into `/usr` in a merged-usr file system. */
const mergedFolders = /^(?:bin|sbin|lib|lib64)\//;

/**
 * The files that a set of programs needs: the programs, the targets of their links, their dynamic linker and all
 * libraries, followed to the end. Sorted.
 *
 * @throws OsError `image/incomplete` with everything that is missing, so that a program that could not start never gets
 *   into an image.
 */
export async function selectFiles(selection: Selection): Promise<string[]> {
  const taken = new Set<string>();
  const missing = new Map<string, string>();
  const queue: { readonly path: string; readonly for: string }[] = selection.files.map((path) => ({
    path,
    for: "the image",
  }));
  for (const tree of selection.trees) {
    const entries = await readdir(join(selection.root, tree), { recursive: true, withFileTypes: true }).catch(() => []);
    if (entries.length === 0) missing.set(`${tree}/`, "the image");
    for (const entry of entries.filter((found) => !found.isDirectory())) {
      queue.push({ path: join(entry.parentPath, entry.name).slice(selection.root.length + 1), for: tree });
    }
  }
  const findLibrary = async (name: string, wantedBy: string): Promise<void> => {
    for (const folder of selection.libraryFolders) {
      const path = join(folder, name);
      if (taken.has(path)) return;
      if (await isThere(join(selection.root, path))) return void queue.push({ path, for: wantedBy });
    }
    missing.set(name, wantedBy);
  };
  for (const name of selection.libraries) await findLibrary(name, "the image");

  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const path = merged(next.path);
    if (taken.has(path)) continue;
    const full = join(selection.root, path);
    const info = await lstat(full).catch(() => undefined);
    if (info === undefined) {
      missing.set(path, next.for);
      continue;
    }
    taken.add(path);
    if (info.isSymbolicLink()) {
      const target = await readlink(full);
      queue.push({ path: target.startsWith("/") ? target.slice(1) : join(dirname(path), target), for: path });
    } else if (info.isFile()) {
      const content = await readFile(full);
      if (!isElf(content)) continue;
      const facts = readElf(content, path);
      if (facts.interpreter !== undefined) queue.push({ path: facts.interpreter.slice(1), for: path });
      for (const library of facts.needed) await findLibrary(library, path);
    }
  }
  if (missing.size > 0) throw incomplete(missing);
  return [...taken].sort();
}

function merged(path: string): string {
  const clean = normalize(path);
  return mergedFolders.test(clean) ? `usr/${clean}` : clean;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function incomplete(missing: ReadonlyMap<string, string>): OsError {
  const list = [...missing].map(([name, wantedBy]) => `${name} (for ${wantedBy})`).sort();
  return new OsError({
    kind: "failed-precondition",
    code: "image/incomplete",
    message: `Cannot find the Debian package of these files of the image: ${list.join(", ")}`,
    details: { missing: list },
  });
}
