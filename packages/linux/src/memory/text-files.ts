import { kernelError } from "../ffi/errno.ts";
import type { TextFiles } from "../files/text-files.ts";

/** A file of /proc or /sys in memory: a text that stays as written, or something computed. */
export type MemoryFile =
  | string
  | { readonly read: () => string; readonly write?: (text: string) => void }
  | { readonly linkTo: string };

export interface MemoryTextFiles extends TextFiles {
  /** All files by path; folders exist because files are in them. */
  readonly tree: Map<string, MemoryFile>;
}

export function createMemoryTextFiles(): MemoryTextFiles {
  const tree = new Map<string, MemoryFile>();
  const find = (verb: string, path: string): MemoryFile => {
    const file = tree.get(path);
    if (file !== undefined) return file;
    throw kernelError({ area: "file", action: `${verb} "${path}"`, errno: "ENOENT" });
  };
  return {
    tree,
    async read(path) {
      const file = find("read", path);
      if (typeof file === "string") return file;
      if ("read" in file) return file.read();
      throw kernelError({ area: "file", action: `read "${path}"`, errno: "EINVAL" });
    },
    async write(path, text) {
      const file = find("write", path);
      if (typeof file === "string") tree.set(path, text);
      else if ("write" in file && file.write !== undefined) file.write(text);
      else throw kernelError({ area: "file", action: `write "${path}"`, errno: "EACCES" });
    },
    async list(path) {
      const prefix = path === "/" ? "/" : `${path}/`;
      const names = new Set(
        [...tree.keys()]
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length).split("/", 1)[0]),
      );
      if (names.size === 0) throw kernelError({ area: "file", action: `list "${path}"`, errno: "ENOENT" });
      return [...names].filter((name) => name !== undefined);
    },
    async readLink(path) {
      const file = find("read the link", path);
      if (typeof file === "object" && "linkTo" in file) return file.linkTo;
      throw kernelError({ area: "file", action: `read the link "${path}"`, errno: "EINVAL" });
    },
  };
}
