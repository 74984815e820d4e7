import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { sampleElf } from "../testing/elf-sample.ts";
import { selectFiles } from "./select-files.ts";

const root = await mkdtemp(join(tmpdir(), "imager-select-"));
after(() => rm(root, { recursive: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

before(async () => {
  await put("usr/bin/tool", sampleElf("/lib64/ld.so", ["liba.so.1"]));
  await put("usr/bin/sh", sampleElf("/lib64/ld.so", []));
  await put("usr/bin/broken", sampleElf("/lib64/ld.so", ["libgone.so"]));
  await put("usr/lib/arch/liba.so.1.2", sampleElf(undefined, ["libb.so"]));
  await put("usr/lib/arch/libb.so", sampleElf(undefined, []));
  await put("usr/lib/arch/unused.so", sampleElf(undefined, []));
  await put("usr/lib/arch/ld.so", sampleElf(undefined, []));
  await put("usr/share/rules/nested/one.rules", "text");
  await mkdir(join(root, "usr/lib64"));
  await symlink("liba.so.1.2", join(root, "usr/lib/arch/liba.so.1"));
  await symlink("../lib/arch/ld.so", join(root, "usr/lib64/ld.so"));
  await symlink("/bin/tool", join(root, "usr/bin/alias"));
});

const nothing = { root, libraryFolders: ["usr/lib/arch"], files: [], trees: [], libraries: [] };

test("selectFiles follows links, the dynamic linker and libraries, and takes nothing else", async () => {
  assert.deepEqual(await selectFiles({ ...nothing, files: ["usr/bin/alias"] }), [
    "usr/bin/alias",
    "usr/bin/tool",
    "usr/lib/arch/ld.so",
    "usr/lib/arch/liba.so.1",
    "usr/lib/arch/liba.so.1.2",
    "usr/lib/arch/libb.so",
    "usr/lib64/ld.so",
  ]);
});

test("selectFiles takes whole folders and libraries by name", async () => {
  assert.deepEqual(await selectFiles({ ...nothing, trees: ["usr/share/rules"], libraries: ["unused.so"] }), [
    "usr/lib/arch/unused.so",
    "usr/share/rules/nested/one.rules",
  ]);
});

test("selectFiles names everything that is missing and who needs it", async () => {
  const selecting = selectFiles({ ...nothing, files: ["usr/bin/broken", "usr/bin/none"], trees: ["usr/empty"] });
  await assert.rejects(
    selecting,
    (err) =>
      isCode(err, "image/incomplete") &&
      err.message.endsWith("libgone.so (for usr/bin/broken), usr/bin/none (for the image), usr/empty/ (for the image)"),
  );
});
