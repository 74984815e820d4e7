import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createMemoryBlockDevices } from "../memory/memory-block-devices.ts";
import { encodeGpt } from "./gpt.ts";
import { gptEntries, gptFreeRanges, readGptTable, withGptEntry, withoutGptEntry, writeGptTable } from "./gpt-table.ts";

const mib = 1024 ** 2;
const linux = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";
const partitions = ["META", "STATE", "EPHEMERAL"].map((label, index) => ({
  type: linux,
  label,
  startBytes: (index + 1) * 4 * mib,
  sizeBytes: 4 * mib,
}));

async function openDisk(sizeBytes = 32 * mib) {
  const devices = createMemoryBlockDevices();
  const { bytes } = devices.addDisk("/dev/vda", sizeBytes);
  const { head, tail, tailBytes } = encodeGpt(sizeBytes, partitions);
  head.copy(bytes, 0);
  tail.copy(bytes, tailBytes);
  return { bytes, disk: await devices.open("/dev/vda") };
}

describe("readGptTable()", () => {
  it("finds the partitions that were written", async () => {
    const { disk } = await openDisk();
    assert.deepEqual(
      gptEntries(await readGptTable(disk), 512),
      partitions.map((partition, index) => Object.assign({ number: index + 1 }, partition)),
    );
  });
  it("takes the copy at the end when anything of the first is damaged, and says when both are", async () => {
    for (const damaged of [512, 512 + 60, 1024 + 130]) {
      const { disk, bytes } = await openDisk();
      bytes.writeUInt8(bytes.readUInt8(damaged) ^ 1, damaged);
      assert.equal(gptEntries(await readGptTable(disk), 512).length, 3, String(damaged));
      bytes.fill(0, bytes.length - 512);
      await assert.rejects(readGptTable(disk), { code: "gpt/none" });
    }
  });
});

describe("withGptEntry()", () => {
  it("puts partitions into what is free, until nothing is, under numbers that are free", async () => {
    const { disk } = await openDisk();
    let table = withoutGptEntry(await readGptTable(disk), 2);
    assert.deepEqual(gptFreeRanges(table, 512), [
      { startBytes: mib, sizeBytes: 3 * mib },
      { startBytes: 8 * mib, sizeBytes: 4 * mib },
      { startBytes: 16 * mib, sizeBytes: 15 * mib },
    ]);
    const add = (startBytes: number, sizeBytes: number): number => {
      const added = withGptEntry(table, { type: linux, label: "u-data", startBytes, sizeBytes }, 512);
      table = added.table;
      return added.number;
    };
    assert.equal(add(8 * mib, 4 * mib), 2);
    assert.equal(add(16 * mib, 15 * mib), 4);
    for (const [start, size] of [
      [8, 1],
      [31, 1],
      [3, 2],
      [1, 0],
    ] as const) {
      assert.throws(() => add(start * mib, size * mib), { code: "gpt/out-of-range" });
    }
    assert.equal(add(mib, 3 * mib), 5);
    assert.deepEqual(gptFreeRanges(table, 512), []);
    await writeGptTable(disk, table);
    const labels = gptEntries(await readGptTable(disk), 512).map(({ label }) => label);
    assert.deepEqual(labels, ["META", "u-data", "EPHEMERAL", "u-data", "u-data"]);
  });
});

describe("withoutGptEntry()", () => {
  it("takes one partition out, and leaves the numbers of the others", async () => {
    const { disk } = await openDisk();
    await writeGptTable(disk, withoutGptEntry(await readGptTable(disk), 2));
    const left = gptEntries(await readGptTable(disk), 512);
    assert.deepEqual(
      left.map(({ number, label }) => [number, label]),
      [
        [1, "META"],
        [3, "EPHEMERAL"],
      ],
    );
  });
});

describe("writeGptTable()", () => {
  it("repairs the copy that was damaged", async () => {
    const { disk, bytes } = await openDisk();
    const before = Buffer.from(bytes);
    bytes.fill(0, 512, 1024);
    await writeGptTable(disk, await readGptTable(disk));
    assert.ok(bytes.equals(before));
  });
  it("has a whole table on the disk after every write", async () => {
    const { disk } = await openDisk();
    const next = withoutGptEntry(await readGptTable(disk), 2);
    const counts: number[] = [];
    const observed = {
      ...disk,
      async write(startBytes: number, data: Buffer) {
        await disk.write(startBytes, data);
        counts.push(gptEntries(await readGptTable(disk), 512).length);
      },
    };
    await writeGptTable(observed, next);
    assert.deepEqual(counts, [3, 3, 2, 2]);
  });
  it("writes what partx(8) reads", async (context) => {
    if (spawnSync("partx", ["--version"]).error !== undefined) return context.skip("there is no partx on this machine");
    const folder = await mkdtemp(join(tmpdir(), "gpt-"));
    try {
      const { disk, bytes } = await openDisk();
      await writeGptTable(disk, withoutGptEntry(await readGptTable(disk), 2));
      await writeFile(join(folder, "disk"), bytes);
      const { stdout, stderr } = spawnSync("partx", [
        "--raw",
        "--noheadings",
        "--output",
        "NR,NAME",
        join(folder, "disk"),
      ]);
      assert.equal(String(stdout), "1 META\n3 EPHEMERAL\n", String(stderr));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
