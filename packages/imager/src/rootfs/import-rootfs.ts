import { copyFile, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { cacheDirectory, makeFolder } from "@talos-ts/host";
import { sha256File } from "../packages/fetch-packages.ts";
import type { Rootfs } from "./build-rootfs.ts";
import { findRootfs } from "./find-rootfs.ts";

/** First bytes of every squashfs image, little endian. */
const magic = "hsqs";

/**
 * Takes an image that was made before: by the digest of one in the cache, or a squashfs file, which is copied into the cache so
 * that nodes find it at their next start.
 *
 * @param name `sha256:<hex>`, or the path of a file.
 * @throws OsError `image/not-found`, `image/not-squashfs`
 */
export async function importRootfs(
  name: string,
  cacheRoot: string = cacheDirectory(),
): Promise<Pick<Rootfs, "squashfs" | "digest">> {
  if (/^sha256:[0-9a-f]{64}$/.test(name)) return (await findRootfs(name, cacheRoot)) ?? notFound(name);
  await using file = await open(name).catch(() => notFound(name));
  const start = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
  if (start.buffer.toString("latin1") !== magic) {
    throw new OsError({
      kind: "invalid-argument",
      code: "image/not-squashfs",
      message: `Cannot run nodes from "${name}": expected a squashfs image of this system`,
      next: "talosctl cluster create, without --image, builds one",
    });
  }
  const digest = `sha256:${await sha256File(name)}`;
  const known = await findRootfs(digest, cacheRoot);
  if (known !== undefined) return known;
  const folder = join(cacheRoot, "rootfs");
  await makeFolder(folder);
  const key = digest.replace("sha256:", "");
  const squashfs = join(folder, `${key}.squashfs`);
  const scratch = `${squashfs}.${String(process.pid)}`;
  try {
    await copyFile(name, scratch);
    await rename(scratch, squashfs);
  } finally {
    await rm(scratch, { force: true });
  }
  const report = { digest, sizes: { squashfs: (await stat(squashfs)).size } };
  await writeFile(join(folder, `${key}.json`), `${JSON.stringify(report)}\n`);
  return { squashfs, digest };
}

function notFound(name: string): never {
  throw new OsError({
    kind: "not-found",
    code: "image/not-found",
    message: `Cannot find the image "${name}": expected sha256:<hex> of an image in the cache, or a squashfs file`,
    next: "talosctl cluster create, without --image, builds one",
  });
}
