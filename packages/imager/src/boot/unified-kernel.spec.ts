import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { peSample, samplePe } from "../testing/pe-sample.ts";
import { writeUnifiedKernel } from "./unified-kernel.ts";

test("writeUnifiedKernel() adds the sections that systemd-stub looks for", async () => {
  await using folder = await temporaryDirectory();
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const path = join(folder.path, "image.efi");
  await writeUnifiedKernel(path, {
    stub: await file("stub", samplePe()),
    osRelease: "ID=talos\nVERSION_ID=v1.13.9\n",
    arguments: "panic=10",
    release: "6.12.0",
    kernel: await file("vmlinuz", "the kernel"),
    initramfs: await file("initramfs", "the initramfs"),
  });
  const image = await readFile(path);
  const sections = Array.from({ length: image.readUInt16LE(peSample.signature + 6) }, (_, index) => {
    const at = peSample.sectionTable + index * 40;
    const [size, offset] = [image.readUInt32LE(at + 8), image.readUInt32LE(at + 20)];
    const name = image.toString("latin1", at, at + 8).replaceAll("\0", "");
    return [name, image.toString("latin1", offset, offset + size)] as const;
  });
  assert.deepEqual(sections.slice(1), [
    [".osrel", "ID=talos\nVERSION_ID=v1.13.9\n"],
    [".cmdline", "panic=10"],
    [".uname", "6.12.0"],
    [".linux", "the kernel"],
    [".initrd", "the initramfs"],
  ]);
});
