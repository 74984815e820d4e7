import assert from "node:assert/strict";
import { readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { runTool } from "@talos-ts/host";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readLayerTar } from "./read-tar.ts";
import type { TarEntry } from "./tar-entry.ts";
import { writeTar } from "./write-tar.ts";

const long = `usr/share/${"a-folder-with-a-name/".repeat(7)}file`;
const capability = Buffer.from([1, 0, 0, 2, 0, 4, 10, 0]);
const entries: readonly TarEntry[] = [
  { type: "hardlink", path: "usr/bin/other", target: "usr/bin/tool" },
  {
    type: "file",
    path: "usr/bin/tool",
    mode: 0o755,
    content: Buffer.from("program"),
    attributes: { "security.capability": capability },
  },
  { type: "symlink", path: "bin", target: "usr/bin" },
  { type: "file", path: long, mode: 0o644, content: Buffer.alloc(1000, "x") },
  { type: "directory", path: "tmp", mode: 0o1777 },
];

async function archive(list: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeTar(list, 1_767_225_600)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

test("writeTar writes what tar(1) unpacks: files, links, modes, long names", async () => {
  await using folder = await temporaryDirectory();
  await writeFile(join(folder.path, "a.tar"), await archive(entries));
  await runTool("tar", ["-xpf", join(folder.path, "a.tar"), "-C", folder.path]);
  assert.equal(await readFile(join(folder.path, "bin/tool"), "utf8"), "program");
  assert.equal(await readlink(join(folder.path, "bin")), "usr/bin");
  assert.equal((await readFile(join(folder.path, long))).byteLength, 1000);
  const [tool, other, tmp] = await Promise.all(
    ["usr/bin/tool", "usr/bin/other", "tmp"].map((path) => stat(join(folder.path, path))),
  );
  assert.equal(tool?.ino, other?.ino);
  assert.equal(tmp?.mode, 0o41777);
  assert.equal(tool?.mtimeMs, 1_767_225_600_000);
});

test("writeTar gives the same bytes whatever the order of the entries", async () => {
  assert.deepEqual(await archive(entries), await archive([...entries].reverse()));
});

test("writeTar refuses a file that has another size than promised", async () => {
  await using folder = await temporaryDirectory();
  const from = join(folder.path, "file");
  await writeFile(from, "four");
  await assert.rejects(archive([{ type: "file", path: "file", mode: 0o644, content: { from, size: 5 } }]), (err) =>
    isCode(err, "image/changed"),
  );
});

test("readTar reads what writeTar wrote, in pieces of any size", async () => {
  const bytes = await archive(entries);
  for (const size of [1, 511, 512, 4096, bytes.byteLength]) {
    const found: string[] = [];
    for await (const entry of readLayerTar(inPieces(bytes, size))) {
      found.push(`${entry.type} ${entry.path} ${entry.target}`.trim());
      if (entry.path !== "usr/bin/tool") continue;
      const content: Buffer[] = [];
      for await (const chunk of entry.content()) content.push(chunk);
      assert.equal(Buffer.concat(content).toString(), "program");
      assert.deepEqual(entry.records.get("SCHILY.xattr.security.capability"), capability);
    }
    assert.deepEqual(found.slice(-4), ["2 bin usr/bin", "0 usr/bin/tool", `0 ${long}`, "1 usr/bin/other usr/bin/tool"]);
    assert.equal(found[0], "5 tmp/");
  }
});
