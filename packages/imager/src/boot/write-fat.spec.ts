import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { writeFat, type FatFile } from "./write-fat.ts";

const options = { label: "TALOS-BOOT", volumeId: 0x1234_abcd, time: 1_767_225_600 };
const files: readonly FatFile[] = [
  { path: "EFI/BOOT/BOOTX64.EFI", content: Buffer.alloc(9000, 7) },
  { path: "INSTALL/MANIFEST", content: Buffer.from("{}") },
  { path: "EMPTY", content: Buffer.alloc(0) },
];

/** Reads everything that is not free. */
async function beginning(path: string): Promise<Buffer> {
  await using file = await open(path);
  const bytes = Buffer.alloc(1024 ** 2);
  await file.read(bytes, 0, bytes.length, 0);
  return bytes;
}

describe("writeFat()", () => {
  it("chains the clusters of a file, and names them in its folder", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "fat");
    await writeFat(path, files, options);
    const bytes = await beginning(path);
    const [reserved, fatSectors] = [bytes.readUInt16LE(14), bytes.readUInt32LE(36)];
    const data = (reserved + 2 * fatSectors) * 512;
    const cluster = (number: number): Buffer => bytes.subarray(data + (number - 2) * 4096, data + (number - 1) * 4096);
    const next = (number: number): number => bytes.readUInt32LE(reserved * 512 + number * 4);
    const find = (at: number, name: string): { readonly cluster: number; readonly size: number } => {
      const entry = Array.from({ length: 128 }, (_, index) => cluster(at).subarray(index * 32, (index + 1) * 32)).find(
        (each) => each.toString("latin1", 0, 11) === name.padEnd(11),
      );
      assert.ok(entry !== undefined, name);
      return { cluster: entry.readUInt16LE(26) + entry.readUInt16LE(20) * 65_536, size: entry.readUInt32LE(28) };
    };
    const efi = find(2, "EFI").cluster;
    const boot = find(efi, "BOOT").cluster;
    assert.equal(find(boot, "..").cluster, efi);
    assert.equal(find(efi, "..").cluster, 0);
    const program = find(boot, "BOOTX64 EFI");
    assert.equal(program.size, 9000);
    const chain = [program.cluster, next(program.cluster), next(program.cluster + 1)];
    assert.deepEqual(chain, [program.cluster, program.cluster + 1, program.cluster + 2]);
    assert.equal(next(program.cluster + 2), 0x0fff_ffff);
    assert.deepEqual([...cluster(program.cluster + 2).subarray(807, 810)], [7, 0, 0]);
    assert.deepEqual(find(2, "EMPTY"), { cluster: 0, size: 0 });
  });

  it("makes a file system that blkid knows and Linux mounts", async (context) => {
    await using folder = await temporaryDirectory();
    const [path, target] = [join(folder.path, "fat"), join(folder.path, "mounted")];
    await writeFat(path, files, options);
    const probed = spawnSync("blkid", ["-p", "-o", "export", path]);
    if (probed.error !== undefined) return context.skip("there is no blkid on this machine");
    assert.match(String(probed.stdout), /^LABEL=TALOS-BOOT$/m);
    assert.match(String(probed.stdout), /^VERSION=FAT32$/m);
    await mkdir(target);
    if (spawnSync("mount", ["-t", "vfat", "-o", "ro,loop", path, target]).status !== 0)
      return context.skip("this machine mounts no FAT file systems");
    try {
      assert.equal((await readFile(join(target, "EFI/BOOT/BOOTX64.EFI"))).length, 9000);
      assert.equal(await readFile(join(target, "INSTALL/MANIFEST"), "utf8"), "{}");
    } finally {
      spawnSync("umount", [target]);
    }
  });

  it("is sparse, and the same for the same files", async () => {
    await using folder = await temporaryDirectory();
    const [one, two] = [join(folder.path, "1"), join(folder.path, "2")];
    for (const path of [one, two]) await writeFat(path, files, options);
    assert.ok((await beginning(one)).equals(await beginning(two)));
    const { size, blocks } = await stat(one);
    assert.ok(size > 256 * 1024 ** 2 && blocks * 512 < 2 * 1024 ** 2);
  });

  it("refuses names that need more than FAT has, and files that changed", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "fat");
    await assert.rejects(writeFat(path, [{ path: "long-name.json", content: Buffer.alloc(1) }], options), {
      code: "image/fat-name",
    });
    const source = join(folder.path, "source");
    await writeFile(source, "12");
    await assert.rejects(writeFat(path, [{ path: "A", content: { from: source, size: 3 } }], options), {
      code: "image/changed",
    });
  });
});
