import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import type { TarEntry } from "../images/tar-entry.ts";
import { writeCpio } from "./write-cpio.ts";
import { writeInitramfs, type InitramfsEntries } from "./write-initramfs.ts";

const time = 1_000_000_000;
const file = (path: string, content: string): TarEntry => ({
  type: "file",
  path,
  mode: 0o644,
  content: Buffer.from(content),
});

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

describe("writeInitramfs()", () => {
  const entries: InitramfsEntries = {
    plain: [file("rootfs.squashfs", "as it is")],
    packed: [file("usr/bin/node", "program ".repeat(10_000)), file("init", "#!/usr/bin/node\n")],
  };

  it("has one archive as it is, and the other one compressed behind it", async () => {
    const bytes = await bytesOf(writeInitramfs(entries, time));
    const plain = await bytesOf(writeCpio(entries.plain, time));
    assert.deepEqual(bytes.subarray(0, plain.length), plain);
    const packed = bytes.subarray(plain.length);
    assert.ok(packed.length < 1000);
    assert.deepEqual(zstdDecompressSync(packed), await bytesOf(writeCpio(entries.packed, time)));
  });

  it("gives the same bytes for the same entries", async () => {
    const [one, other] = [await bytesOf(writeInitramfs(entries, time)), await bytesOf(writeInitramfs(entries, time))];
    assert.deepEqual(one, other);
  });

  it("ends with the failure of an entry", async () => {
    const gone: TarEntry = { type: "file", path: "init", mode: 0o755, content: { from: "/no/such/file", size: 1 } };
    await assert.rejects(bytesOf(writeInitramfs({ ...entries, packed: [gone] }, time)), { code: "ENOENT" });
  });
});
