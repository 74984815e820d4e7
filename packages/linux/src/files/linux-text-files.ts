import { constants } from "node:fs";
import { open, readdir, readFile, readlink } from "node:fs/promises";
import { fileError } from "../ffi/errno.ts";
import type { TextFiles } from "./text-files.ts";

async function write(path: string, text: string): Promise<void> {
  // No O_CREAT: a file that the kernel does not offer must not come into being on a read-write tmpfs.
  await using file = await open(path, constants.O_WRONLY | constants.O_TRUNC);
  await file.writeFile(text);
}

/** The files of the running system. */
export function createLinuxTextFiles(): TextFiles {
  const attempt = async <T>(verb: string, path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (err) {
      throw fileError("file", `${verb} "${path}"`, err);
    }
  };
  return {
    read: (path) => attempt("read", path, () => readFile(path, "utf8")),
    write: (path, text) => attempt("write", path, () => write(path, text)),
    list: (path) => attempt("list", path, () => readdir(path)),
    readLink: (path) => attempt("read the link", path, () => readlink(path)),
  };
}
