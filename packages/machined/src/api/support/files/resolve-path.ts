import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errno, fileError } from "./file-error.ts";
import { pathOfText, textOfName } from "./path-bytes.ts";

/** As many links as the kernel follows. */
const maxLinks = 40;

/**
 * The path without links behind a path of the node.
 *
 * Links are followed here and not by the kernel, each as seen from `root`: none leads out of it, not even those of /proc that
 * point into other containers.
 *
 * @param root Prefix of all paths; empty on a machine.
 * @returns a path that starts with `/`, below `root`
 * @throws not found, with the path that was asked for
 */
export async function resolvePath(root: string, path: string): Promise<string> {
  const left = path.split("/").toReversed();
  const done: string[] = [];
  let links = 0;
  try {
    for (let part = left.pop(); part !== undefined; part = left.pop()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        done.pop();
        continue;
      }
      const here = pathOfText(join(root, "/", ...done, part));
      const info = await lstat(here);
      if (!info.isSymbolicLink()) {
        done.push(part);
        if (!info.isDirectory() && left.some((more) => more !== "")) throw errno("ENOTDIR");
        continue;
      }
      if (++links > maxLinks) throw errno("ELOOP");
      const target = textOfName(await readlink(here, { encoding: "buffer" }));
      if (target.startsWith("/")) done.length = 0;
      left.push(...target.split("/").toReversed());
    }
  } catch (err) {
    throw fileError("stat", path, err);
  }
  return `/${done.join("/")}`;
}
