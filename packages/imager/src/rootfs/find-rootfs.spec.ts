import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findRootfs } from "./find-rootfs.ts";

const root = await mkdtemp(join(tmpdir(), "find-rootfs-"));
after(() => rm(root, { recursive: true }));
const folder = join(root, "rootfs");
await mkdir(folder);
const put = async (key: string, report: string, image = true): Promise<void> => {
  await writeFile(join(folder, `${key}.json`), report);
  if (image) await writeFile(join(folder, `${key}.squashfs`), "");
};

test("findRootfs finds an image by its digest, whatever else lies there", async () => {
  await put("cut", `{"digest": "sha2`);
  await put("other", `{"digest": "sha256:bb"}`);
  await put("wanted", `{"digest": "sha256:aa"}`);
  assert.deepEqual(await findRootfs("sha256:aa", root), {
    squashfs: join(folder, "wanted.squashfs"),
    digest: "sha256:aa",
  });
});

test("findRootfs finds nothing when the image itself, or the whole cache, is gone", async () => {
  await put("gone", `{"digest": "sha256:cc"}`, false);
  assert.equal(await findRootfs("sha256:cc", root), undefined);
  assert.equal(await findRootfs("sha256:aa", join(root, "none")), undefined);
});
