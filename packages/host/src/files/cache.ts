import { createHash, randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { exists } from "./exists.ts";
import { makeFolder } from "./make-folder.ts";

/** Gives the cache folder (XDG Base Directory): outside the sources, shared by every checkout of one user. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "talos-ts");
}

/** Name of a result derived from everything that decides its content; the order of the parts matters. */
export function cacheKey(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  // The length in front keeps ("ab", "c") and ("a", "bc") apart.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex").slice(0, 32);
}

/** A cached file or folder. */
export interface Cached {
  readonly path: string;
  /** True when the result was there already and `make` did not run. */
  readonly hit: boolean;
}

/**
 * Returns the cached file or directory `kind/name`, making it first when it is absent.
 *
 * `make` works in a scratch path that is renamed into place when it succeeds, so a result that exists is whole, and
 * two builders at once end with the same one.
 */
export async function cached(
  root: string,
  kind: string,
  name: string,
  make: (path: string) => Promise<void>,
): Promise<Cached> {
  const path = join(root, kind, name);
  if (await exists(path)) return { path, hit: true };
  await makeFolder(join(root, kind));
  const scratch = join(root, kind, `.${name}.${randomUUID()}`);
  try {
    await make(scratch);
    await rename(scratch, path);
  } catch (err) {
    // Another builder published the same result first: a directory cannot be renamed over a full one.
    if (!(await exists(path))) throw err;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { path, hit: false };
}

/** Removes all but the newest results of a kind; `extensions` are the files or folders that make up one result. */
export async function keepNewest(
  root: string,
  kind: string,
  count: number,
  extensions: readonly string[],
): Promise<void> {
  const [main = "", ...others] = extensions;
  const names = (await readdir(join(root, kind))).filter((name) => name.endsWith(main) && !name.startsWith("."));
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(root, kind, name);
      return {
        path,
        time: await stat(path)
          .then((info) => info.mtimeMs)
          .catch(() => 0),
      };
    }),
  );
  for (const { path } of aged.sort((a, b) => b.time - a.time).slice(count)) {
    const stem = path.slice(0, path.length - main.length);
    for (const extension of [main, ...others]) await rm(stem + extension, { recursive: true, force: true });
  }
}
