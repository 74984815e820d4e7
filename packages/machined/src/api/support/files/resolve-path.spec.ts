import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { resolvePath } from "./resolve-path.ts";

async function temporaryRoot(): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), "resolve-"));
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

describe("resolvePath()", () => {
  it("follows links as the node sees them", async () => {
    await using directory = await temporaryRoot();
    const { root } = directory;
    await mkdir(join(root, "a/b"), { recursive: true });
    await symlink("/a", join(root, "absolute"));
    await symlink("../b/./", join(root, "a/b/relative"));
    await symlink("../../..", join(root, "a/up"));
    const same = { "/": "/", "": "/", "//a//b/": "/a/b", "/absolute/b": "/a/b", "/a/b/relative/relative": "/a/b" };
    for (const [path, expected] of Object.entries(same)) assert.equal(await resolvePath(root, path), expected, path);
    assert.equal(await resolvePath(root, "/a/up"), "/");
    assert.equal(await resolvePath(root, "/../../a/up/a"), "/a");
  });
  it("gives up on circles, and on files that are used as folders", async () => {
    await using directory = await temporaryRoot();
    const { root } = directory;
    await symlink("loop", join(root, "loop"));
    await writeFile(join(root, "file"), "");
    await assert.rejects(resolvePath(root, "/loop"), { message: "stat /loop: too many levels of symbolic links" });
    await assert.rejects(resolvePath(root, "/file/x"), { message: "stat /file/x: not a directory" });
    assert.equal(await resolvePath(root, "/file/"), "/file");
  });
  it("is not led into other containers by the links of processes", async () => {
    assert.equal(await resolvePath("", "/proc/self/root/tmp"), await realpath("/tmp"));
    await assert.rejects(resolvePath("", "/proc/self/ns/net"), { kind: "not-found" });
  });
  it("never leaves the root, whatever the links say", async () => {
    await using directory = await temporaryRoot();
    const { root } = directory;
    const names = ["a", "b", "c", "d"];
    const targets = ["..", "/", "../..", "/a/b", "b/../..", "/etc", "../../../../etc", "./c"];
    for (const [index, name] of names.entries()) {
      await mkdir(join(root, `f${name}`));
      await symlink(targets[index] ?? "/", join(root, name));
      await symlink(targets[index + 4] ?? "/", join(root, `f${name}`, name));
    }
    for (let seed = 1; seed < 500; seed++) {
      const parts = Array.from({ length: 4 }, (_, at) => {
        const pick = names[(seed * (at + 3)) % 4] ?? "";
        return [pick, `f${pick}`, "..", `f${pick}/${pick}`][(seed >> at) % 4];
      });
      const found = await resolvePath(root, `/${parts.join("/")}`).catch(() => undefined);
      if (found !== undefined)
        assert.equal(await realpath(join(root, found)), join(await realpath(root), found).replace(/(.)\/$/, "$1"));
    }
  });
});
