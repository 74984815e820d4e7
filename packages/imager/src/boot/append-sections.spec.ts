import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { peSample, samplePe } from "../testing/pe-sample.ts";
import { appendSections, type Section } from "./append-sections.ts";

const { signature, optionalHeader, sectionTable: table } = peSample;

async function packed(sections: readonly Section[], image = samplePe()): Promise<Buffer> {
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
