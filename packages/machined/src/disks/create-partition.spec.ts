import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLinux, gptEntries, readGptTable } from "@talos-ts/linux";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { createLogger } from "../logs/logger.ts";
import { createPartition, largestFreeBytes, type PartitionWish } from "./create-partition.ts";
import { linuxData } from "./partition-types.ts";

const mib = 1024 ** 2;
const logger = createLogger([]);
const { signal } = new AbortController();
const wish = (disk: string, rest: Partial<PartitionWish> = {}): PartitionWish => ({
  disk,
  empty: false,
  label: "u-data",
  type: linuxData,
  sizeFor: (free) => free,
  ...rest,
});

function setUp() {
  const linux = createMemoryLinux();
  const { bytes } = linux.blockDevices.addDisk("/dev/vdb", 32 * mib);
  linux.textFiles.tree.set("/sys/class/block/vdb/uevent", { read: () => "", write: () => {} });
  const labels = async () => {
    await using disk = await linux.blockDevices.open("/dev/vdb");
    const entries = gptEntries(await readGptTable(disk), 512);
    return entries.map(({ number, label, startBytes, sizeBytes }) => [
      number,
      label,
      startBytes / mib,
      sizeBytes / mib,
    ]);
  };
  return { linux, bytes, labels, machine: { linux, logger } };
}

describe("createPartition()", () => {
  it("gives an empty disk a table, and partitions until there is no room", async () => {
    const { machine, labels, linux } = setUp();
    assert.equal(await largestFreeBytes(machine, "vdb", true), 30 * mib);
    assert.ok(await createPartition(machine, wish("vdb", { empty: true, sizeFor: () => 10.5 * mib }), signal));
    assert.equal(await largestFreeBytes(machine, "vdb", false), 20 * mib);
    assert.ok(await createPartition(machine, wish("vdb", { label: "r-raw" }), signal));
    assert.equal(await createPartition(machine, wish("vdb", { label: "u-more" }), signal), false);
    assert.deepEqual(await labels(), [
      [1, "u-data", 1, 10],
      [2, "r-raw", 11, 20],
    ]);
    assert.deepEqual([...linux.blockDevices.devices.keys()], ["/dev/vdb", "/dev/vdb1", "/dev/vdb2"]);
  });
  it("leaves nothing of what was in its place", async () => {
    const { machine, bytes, linux } = setUp();
    bytes.fill(1);
    assert.ok(await createPartition(machine, wish("vdb", { empty: true }), signal));
    const partition = linux.blockDevices.devices.get("/dev/vdb1")?.bytes ?? assert.fail();
    assert.ok(partition.subarray(0, mib).every((byte) => byte === 0));
    assert.ok(partition.subarray(-mib).every((byte) => byte === 0));
  });
  it("touches nothing when it is asked for too much, and says when there is no table", async () => {
    const { machine, bytes } = setUp();
    assert.equal(await createPartition(machine, wish("vdb", { empty: true, sizeFor: () => 0 }), signal), false);
    assert.ok(bytes.every((byte) => byte === 0));
    await assert.rejects(createPartition(machine, wish("vdb"), signal), { code: "gpt/none" });
  });
});

const canLoop = process.getuid?.() === 0 && spawnSync("losetup", ["--find"]).status === 0;

describe("createPartition() on the running kernel", { skip: canLoop ? false : "needs root and loop devices" }, () => {
  it("makes a device that takes a file system, while another partition is in use", async () => {
    await using folder = await temporaryDirectory();
    const file = join(folder.path, "disk");
    await writeFile(file, "");
    await truncate(file, 64 * mib);
    const loop = String(spawnSync("losetup", ["--partscan", "--find", "--show", file]).stdout).trim();
    const disk = loop.slice("/dev/".length);
    using linux = createLinux();
    try {
      assert.ok(await createPartition({ linux, logger }, wish(disk, { empty: true, sizeFor: () => 20 * mib }), signal));
      await using _holder = await linux.blockDevices.open(`${loop}p1`, { exclusive: true });
      assert.ok(await createPartition({ linux, logger }, wish(disk, { label: "u-two" }), signal));
      const made = spawnSync("mkfs.ext4", ["-q", `${loop}p2`]);
      assert.equal(made.status, 0, String(made.stderr));
      const { stdout } = spawnSync("blkid", ["-p", "-o", "export", `${loop}p2`]);
      assert.match(String(stdout), /^TYPE=ext4$/m);
      assert.match(String(stdout), /^PART_ENTRY_NAME=u-two$/m);
    } finally {
      spawnSync("losetup", ["--detach", loop]);
    }
  });
});
