import { chmod, link, open, symlink, unlink } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { OsError, readTar, type TarEntry } from "@talos-ts/base";
import { makeFolder } from "@talos-ts/host";

/**
 * Unpacks an archive below a folder. Names that lead out of it are refused; owners and devices are not kept, as those
 * of another machine mean nothing here.
 *
 * @throws `archive/bad-tar`, `archive/unsafe-path`
 */
export async function extractTar(source: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  const root = resolve(folder);
  const modes: (readonly [path: string, mode: number])[] = [];
  // A link that the archive made must not lead what comes after it out of the folder.
  const links = new Set<string>();
  for await (const entry of readTar(source)) {
    const path = insideOf(root, entry.name);
    if ([...links].some((made) => path.startsWith(made + sep))) throw unsafe(entry.name);
    const extract = extractors[entry.type];
    if (extract === undefined) continue;
    if (path !== root) await makeFolder(dirname(path));
    await extract(entry, path, root);
    if (entry.type === "symlink") links.add(path);
    if (entry.type === "directory") modes.push([path, entry.mode]);
  }
  // Folders that may not be written get their mode last.
  for (const [path, mode] of modes.reverse()) await chmod(path, mode);
}

const extractors: Partial<Record<TarEntry["type"], (entry: TarEntry, path: string, root: string) => Promise<void>>> = {
  file: async (entry, path) => {
    await unlink(path).catch(() => undefined);
    const handle = await open(path, "wx", entry.mode);
    try {
      for await (const chunk of entry.content) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
  },
  directory: async (_entry, path) => {
    await makeFolder(path);
  },
  symlink: async (entry, path) => {
    await unlink(path).catch(() => undefined);
    await symlink(entry.linkName, path);
  },
  hardlink: async (entry, path, root) => {
    await unlink(path).catch(() => undefined);
    await link(insideOf(root, entry.linkName), path);
  },
};

function insideOf(root: string, name: string): string {
  const path = resolve(root, name.replace(/^\/+/, ""));
  if (path !== root && !path.startsWith(root === sep ? sep : root + sep)) throw unsafe(name);
  return path;
}

const unsafe = (name: string): OsError =>
  new OsError({
    kind: "failed-precondition",
    code: "archive/unsafe-path",
    message: `Refused to unpack ${JSON.stringify(name)}: it leads out of the folder`,
  });
