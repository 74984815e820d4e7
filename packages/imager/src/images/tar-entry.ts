/** One entry of a layer. Paths are relative to the root of the image and have no `..`. */
export type TarEntry = DirectoryEntry | FileEntry | LinkEntry;

export interface DirectoryEntry {
  readonly type: "directory";
  readonly path: string;
  readonly mode: number;
}

export interface FileEntry {
  readonly type: "file";
  readonly path: string;
  readonly mode: number;
  /** Bytes of the file, or where they are read from. */
  readonly content: Uint8Array | { readonly from: string; readonly size: number };
  /** Extended attributes by name, for example `security.capability`. */
  readonly attributes?: Readonly<Record<string, Buffer>>;
}

export interface LinkEntry {
  /** `hardlink`: `target` is another path of the same layer, which comes before this one. */
  readonly type: "symlink" | "hardlink";
  readonly path: string;
  readonly target: string;
}

/** Bytes of a file entry. */
export function sizeOf({ content }: FileEntry): number {
  return content instanceof Uint8Array ? content.byteLength : content.size;
}

/** Orders entries for a layer: folders before what is in them, hard links after all files; otherwise by path. */
export function layerOrder(entries: readonly TarEntry[]): TarEntry[] {
  const rank = ({ type }: TarEntry): number => (type === "directory" ? 0 : type === "hardlink" ? 2 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The entries together with every folder above them that they do not name themselves. */
export function withParents(entries: readonly TarEntry[]): TarEntry[] {
  const known = new Set(entries.map(({ path }) => path));
  const added: DirectoryEntry[] = [];
  for (const { path } of entries) {
    const parts = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const parent = parts.slice(0, depth).join("/");
      if (known.has(parent)) continue;
      known.add(parent);
      added.push({ type: "directory", path: parent, mode: 0o755 });
    }
  }
  return [...added, ...entries];
}
