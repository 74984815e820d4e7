import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstat, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import type { TarEntry } from "../images/tar-entry.ts";
import { writeCpio } from "./write-cpio.ts";

async function archive(entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeCpio(entries, 1_000_000_000)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const text = (path: string, content: string): TarEntry => ({
  type: "file",
  path,
  mode: 0o755,
  content: Buffer.from(content),
});

test("writeCpio() begins every entry and every content at a multiple of four bytes", async () => {
  const bytes = await archive([text("init", "12345"), { type: "symlink", path: "lib", target: "usr/lib" }]);
  assert.equal(bytes.length % 4, 0);
  assert.equal(bytes.toString("latin1", 0, 6), "070701");
  const names = [...bytes.toString("latin1").matchAll(/070701/g)].map(({ index }) => index % 4);
  assert.deepEqual(names, [0, 0, 0]);
});

test("writeCpio() makes an archive that cpio unpacks", async (context) => {
  if (spawnSync("cpio", ["--version"]).error !== undefined) return context.skip("there is no cpio on this machine");
  await using folder = await temporaryDirectory();
  const source = join(folder.path, "source");
  await writeFile(source, "x".repeat(70_001));
  const bytes = await archive([
    { type: "file", path: "a/b/large", mode: 0o600, content: { from: source, size: 70_001 } },
    text("init", "#!/bin/node\n"),
    { type: "symlink", path: "lib", target: "usr/lib" },
  ]);
  const result = spawnSync("cpio", ["-idm", "--quiet"], { cwd: folder.path, input: bytes });
  assert.equal(result.status, 0, String(result.stderr));
  assert.equal((await readFile(join(folder.path, "a/b/large"))).length, 70_001);
  assert.equal((await lstat(join(folder.path, "init"))).mode & 0o777, 0o755);
  assert.equal(await readlink(join(folder.path, "lib")), "usr/lib");
});

test("writeCpio() refuses a file that changed meanwhile", async () => {
  await using folder = await temporaryDirectory();
  const source = join(folder.path, "source");
  await writeFile(source, "12");
  const entry: TarEntry = { type: "file", path: "a", mode: 0o600, content: { from: source, size: 3 } };
  await assert.rejects(archive([entry]), { code: "image/changed" });
});
