import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isCode, systemClock } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLinux, encodeGpt, gptEntries, readGptTable } from "@talos-ts/linux";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { createLogger } from "../logs/logger.ts";
import { wipeBlockDevice, type WipeTarget } from "./wipe-block-device.ts";

const mib = 1024 ** 2;
const linuxData = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";
const partitions = [1, 2].map((number) => ({
  type: linuxData,
  label: `PART${String(number)}`,
  startBytes: number * 4 * mib,
  sizeBytes: 4 * mib,
}));
const { signal } = new AbortController();
const target = (name: string, rest: Partial<WipeTarget> = {}): WipeTarget => ({
  name,
  method: "fast",
  partitions: [],
  drop: false,
  ...rest,
});

/** A disk of 16 MiB with two partitions, full of ones. */
async function setUp() {
  const linux = createMemoryLinux();
  const { bytes } = linux.blockDevices.addDisk("/dev/vdb", 16 * mib);
  bytes.fill(1);
  const { head, tail, tailBytes } = encodeGpt(16 * mib, partitions);
  head.copy(bytes, 0);
  tail.copy(bytes, tailBytes);
  {
    await using disk = await linux.blockDevices.open("/dev/vdb");
    for (const [index, range] of partitions.entries()) disk.addPartition(index + 1, range);
  }
  const announced: string[] = [];
  for (const name of ["vdb", "vdb1", "vdb2"]) {
    linux.textFiles.tree.set(`/sys/class/block/${name}/uevent`, {
      read: () => "",
      write: (text) => void announced.push(`${text} ${name}`),
    });
  }
  return { linux, bytes, announced, machine: { linux, clock: systemClock, logger: createLogger([]) } };
}

const isClear = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

describe("wipeBlockDevice()", () => {
  it("clears both ends of a partition, and everything of it when asked for zeros", async () => {
    const { machine, bytes, announced, linux } = await setUp();
    linux.blockDevices.devices.get("/dev/vdb1")?.bytes.fill(1);
    await wipeBlockDevice(machine, target("vdb1"), signal);
    assert.ok(isClear(bytes.subarray(4 * mib, 5 * mib)) && isClear(bytes.subarray(7 * mib, 8 * mib)));
    assert.deepEqual([bytes[4 * mib - 1], bytes[8 * mib]], [1, 1]);
    await wipeBlockDevice(machine, target("vdb2", { method: "zeroes" }), signal);
    assert.ok(isClear(bytes.subarray(8 * mib, 12 * mib)));
    assert.equal(bytes[12 * mib], 1);
    assert.deepEqual(announced, ["change vdb1", "change vdb2"]);
  });
  it("takes a partition out of the table when asked to, and the kernel forgets it", async () => {
    const { machine, linux, announced } = await setUp();
    const partitionOf = { disk: "vdb", number: 1 };
    await wipeBlockDevice(machine, target("vdb1", { partitionOf, drop: true }), signal);
    assert.deepEqual([...linux.blockDevices.devices.keys()], ["/dev/vdb", "/dev/vdb2"]);
    await using disk = await linux.blockDevices.open("/dev/vdb");
    assert.deepEqual(
      gptEntries(await readGptTable(disk), 512).map(({ number }) => number),
      [2],
    );
    assert.deepEqual(announced, ["change vdb"]);
  });
  it("wipes a disk with its table, and the kernel forgets its partitions", async () => {
    const { machine, linux } = await setUp();
    await wipeBlockDevice(machine, target("vdb", { partitions: [1, 2] }), signal);
    assert.deepEqual([...linux.blockDevices.devices.keys()], ["/dev/vdb"]);
    await using disk = await linux.blockDevices.open("/dev/vdb");
    await assert.rejects(readGptTable(disk), { code: "gpt/none" });
  });
  it("refuses what is mounted, also on a part of a disk, and touches nothing", async () => {
    const { machine, linux, bytes } = await setUp();
    await using _mount = await linux.blockDevices.open("/dev/vdb2", { exclusive: true });
    const before = Buffer.from(bytes);
    for (const name of ["vdb", "vdb2"]) {
      await assert.rejects(wipeBlockDevice(machine, target(name), signal), {
        kind: "failed-precondition",
        message: `block device "${name}" is mounted or in use`,
      });
    }
    assert.ok(bytes.equals(before));
  });
});

function ignoreBusy(work: () => void): void {
  try {
    work();
  } catch (err) {
    if (!isCode(err, "partition/ebusy")) throw err;
  }
}

const canLoop = process.getuid?.() === 0 && spawnSync("losetup", ["--find"]).status === 0;

describe("wipeBlockDevice() on the running kernel", { skip: canLoop ? false : "needs root and loop devices" }, () => {
  it("wipes a file system, drops its partition, and wipes the disk", async () => {
    await using folder = await temporaryDirectory();
    const file = join(folder.path, "disk");
    const { head, tail, tailBytes } = encodeGpt(16 * mib, partitions);
    await writeFile(file, head);
    await truncate(file, tailBytes);
    await writeFile(file, tail, { flag: "a" });
    const loop = String(spawnSync("losetup", ["--partscan", "--find", "--show", file]).stdout).trim();
    const name = loop.slice("/dev/".length);
    using linux = createLinux();
    const machine = { linux, clock: systemClock, logger: createLogger([]) };
    const typeOf = (device: string): string =>
      String(spawnSync("blkid", ["-p", "-o", "value", "-s", "TYPE", device]).stdout).trim();
    try {
      {
        // Not every kernel reads this kind of table.
        await using disk = await linux.blockDevices.open(loop);
        for (const number of [1, 2])
          ignoreBusy(() => disk.addPartition(number, partitions[number - 1] ?? assert.fail()));
      }
      const made = spawnSync("mkfs.ext4", ["-q", `${loop}p1`]);
      assert.equal(made.status, 0, String(made.stderr));
      assert.equal(typeOf(`${loop}p1`), "ext4");
      await wipeBlockDevice(machine, target(`${name}p1`), signal);
      assert.equal(typeOf(`${loop}p1`), "");
      const partitionOf = { disk: name, number: 1 };
      await wipeBlockDevice(machine, target(`${name}p1`, { partitionOf, drop: true }), signal);
      const known = await linux.textFiles.list(`/sys/class/block/${name}`);
      assert.deepEqual([known.includes(`${name}p1`), known.includes(`${name}p2`)], [false, true]);
      await wipeBlockDevice(machine, target(name, { method: "zeroes", partitions: [2] }), signal);
      assert.ok(!(await linux.textFiles.list(`/sys/class/block/${name}`)).includes(`${name}p2`));
    } finally {
      spawnSync("losetup", ["--detach", loop]);
    }
    assert.ok(isClear(await readFile(file)));
  });
});
