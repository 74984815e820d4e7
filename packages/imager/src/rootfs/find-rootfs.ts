import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Rootfs } from "./build-rootfs.ts";
import { cacheDirectory, exists } from "@talos-ts/host";

/**
 * Finds an image that was built earlier by its digest; `undefined` when it is no longer kept.
 *
 * Being asked for counts as use: it stays longer than images nobody asks for.
 */
export async function findRootfs(
  digest: string,
  cacheRoot: string = cacheDirectory(),
): Promise<Pick<Rootfs, "squashfs" | "digest"> | undefined> {
  const folder = join(cacheRoot, "rootfs");
  const reports = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith(".json"));
  for (const name of reports) {
    const squashfs = join(folder, name.replace(/\.json$/, ".squashfs"));
    if ((await digestIn(join(folder, name))) !== digest || !(await exists(squashfs))) continue;
    const now = new Date();
    await utimes(squashfs, now, now);
    return { squashfs, digest };
  }
  return undefined;
}

/** Returns what a report says; one that was cut off or taken away meanwhile says nothing. */
async function digestIn(path: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as Partial<Rootfs>).digest;
  } catch {
    return undefined;
  }
}
