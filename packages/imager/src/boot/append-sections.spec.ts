import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { appendSections, type Section } from "./append-sections.ts";

const signature = 0x40;
const optionalHeader = signature + 24;
const optionalBytes = 112;
const table = optionalHeader + optionalBytes;
const headerBytes = 0x200;

/** Makes a small program for UEFI with one section, whose headers have room for seven more. */
function program(): Buffer {
  const image = Buffer.alloc(headerBytes + 0x200);
  image.write("MZ", 0, "latin1");
  image.writeUInt32LE(signature, 0x3c);
  image.write("PE\0\0", signature, "latin1");
  image.writeUInt16LE(0x8664, signature + 4);
  image.writeUInt16LE(1, signature + 6);
  image.writeUInt16LE(optionalBytes, signature + 20);
  image.writeUInt16LE(0x22, signature + 22);
  image.writeUInt16LE(0x20b, optionalHeader);
  image.writeUInt32LE(0x1000, optionalHeader + 16);
  image.writeUInt32LE(0x1000, optionalHeader + 32);
  image.writeUInt32LE(0x200, optionalHeader + 36);
  image.writeUInt32LE(0x2000, optionalHeader + 56);
  image.writeUInt32LE(headerBytes, optionalHeader + 60);
  image.writeUInt16LE(10, optionalHeader + 68);
  image.write(".text", table, "latin1");
  for (const [at, value] of [
    [8, 0x10],
    [12, 0x1000],
    [16, 0x200],
    [20, headerBytes],
    [36, 0x6000_0020],
  ] as const)
    image.writeUInt32LE(value, table + at);
  return image;
}

async function packed(sections: readonly Section[], image = program()): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(appendSections(image, sections)));
}

const sections: readonly Section[] = [
  { name: ".cmdline", content: Buffer.from("panic=10") },
  { name: ".linux", content: Buffer.alloc(0x1801, 9), executable: true },
];

describe("appendSections()", () => {
  it("puts sections behind each other, in the file and in memory", async () => {
    const image = await packed(sections);
    assert.equal(image.readUInt16LE(signature + 6), 3);
    const header = (index: number) => {
      const at = table + index * 40;
      const [size, address, rawSize, offset] = [8, 12, 16, 20].map((field) => image.readUInt32LE(at + field));
      return { name: image.toString("latin1", at, at + 8).replaceAll("\0", ""), size, address, rawSize, offset };
    };
    assert.deepEqual(header(1), { name: ".cmdline", size: 8, address: 0x2000, rawSize: 0x200, offset: 0x400 });
    assert.deepEqual(header(2), { name: ".linux", size: 0x1801, address: 0x3000, rawSize: 0x1a00, offset: 0x600 });
    assert.equal(image.readUInt32LE(optionalHeader + 56), 0x5000);
    assert.equal(image.toString("latin1", 0x400, 0x408), "panic=10");
    assert.equal(image.length, 0x600 + 0x1a00);
  });

  it("makes an image that objdump reads", async (context) => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "image.efi");
    await writeFile(path, await packed(sections));
    const { status, stdout, error } = spawnSync("objdump", ["-h", path], { encoding: "utf8" });
    if (error !== undefined) return context.skip("there is no objdump on this machine");
    assert.equal(status, 0);
    assert.match(stdout, /\.cmdline +00000008[^]*\.linux +00001801[^]*CODE/);
  });

  it("refuses what is no program for UEFI, headers without room, and files that changed", async () => {
    await assert.rejects(packed(sections, Buffer.alloc(4096)), { code: "image/not-pe" });
    await assert.rejects(packed(sections, Buffer.from("MZ")), { code: "image/not-pe" });
    const many = Array.from({ length: 9 }, () => ({ name: ".a", content: Buffer.alloc(1) }));
    await assert.rejects(packed(many), { code: "image/pe-headers-full" });
    const content = { from: import.meta.filename, size: 1 };
    await assert.rejects(packed([{ name: ".a", content }]), { code: "image/changed" });
  });
});
