import assert from "node:assert/strict";
import type { BlockRange } from "../block/block-devices.ts";
import type { ConformanceSuites, Criterion } from "./subject.ts";

const mib = 1024 ** 2;

/** Runs a criterion on a disk of 16 MiB full of ones. */
const onDisk =
  (criterion: (path: string, ...rest: Parameters<Criterion>) => Promise<void>): Criterion =>
  async (subject, context) => {
    const disk = await subject.makeDisk(16 * mib);
    if (disk === undefined) return context.skip("there are no loop devices on this machine");
    await using _disk = disk;
    {
      await using device = await subject.linux.blockDevices.open(disk.path);
      await device.write(0, Buffer.alloc(16 * mib, 1));
    }
    await criterion(disk.path, subject, context);
  };

export const blockSuites: ConformanceSuites = {
  BlockDevices: {
    "open() tells the size, and refuses what is not there": onDisk(async (path, { linux: { blockDevices } }) => {
      await using device = await blockDevices.open(path);
      assert.deepEqual([device.path, device.sizeBytes, device.sectorBytes], [path, 16 * mib, 512]);
      await assert.rejects(blockDevices.open(`${path}x`), { code: "block/enoent" });
    }),
    "open() for one alone refuses a second holder until the first closes": onDisk(
      async (path, { linux: { blockDevices } }) => {
        {
          await using _holder = await blockDevices.open(path, { exclusive: true });
          await assert.rejects(blockDevices.open(path, { exclusive: true }), { code: "block/ebusy" });
          await using _other = await blockDevices.open(path);
        }
        await using again = await blockDevices.open(path, { exclusive: true });
        assert.equal(again.path, path);
      },
    ),
    "read() gives what write() wrote, and stops at the end": onDisk(async (path, { linux: { blockDevices } }) => {
      await using device = await blockDevices.open(path);
      await device.write(3 * mib, Buffer.from("here"));
      await device.sync();
      assert.equal((await device.read({ startBytes: 3 * mib, sizeBytes: 4 })).toString(), "here");
      assert.equal((await device.read({ startBytes: 15 * mib, sizeBytes: 2 * mib })).length, mib);
      await assert.rejects(device.write(16 * mib - 2, Buffer.from("here")), { code: "block/enospc" });
    }),
    "zero() and discard() clear a range and nothing beside it": onDisk(async (path, { linux: { blockDevices } }) => {
      await using device = await blockDevices.open(path, { exclusive: true });
      for (const verb of ["zero", "discard"] as const) {
        const clear = (range: BlockRange): Promise<void> => device[verb](range);
        await device.write(0, Buffer.alloc(4 * mib, 1));
        await clear({ startBytes: mib, sizeBytes: 2 * mib });
        const found = await device.read({ startBytes: 0, sizeBytes: 4 * mib });
        assert.deepEqual([found[mib - 1], found[3 * mib]], [1, 1]);
        if (verb === "zero") assert.ok(found.subarray(mib, 3 * mib).every((byte) => byte === 0));
        await assert.rejects(clear({ startBytes: 1, sizeBytes: 512 }), { code: "block/einval" });
        await assert.rejects(clear({ startBytes: 15 * mib, sizeBytes: 2 * mib }), { code: "block/einval" });
      }
    }),
    "addPartition() makes a device of a range, which deletePartition() takes away again": onDisk(
      async (path, { linux: { blockDevices } }) => {
        await using disk = await blockDevices.open(path);
        disk.addPartition(1, { startBytes: 4 * mib, sizeBytes: 2 * mib });
        const name = `${path}${/\d$/.test(path) ? "p" : ""}1`;
        {
          await using partition = await blockDevices.open(name);
          assert.equal(partition.sizeBytes, 2 * mib);
          await partition.zero({ startBytes: 0, sizeBytes: mib });
          await partition.sync();
          assert.throws(() => disk.deletePartition(1), { code: "partition/ebusy" });
        }
        assert.deepEqual([...(await disk.read({ startBytes: 4 * mib, sizeBytes: 2 }))], [0, 0]);
        disk.deletePartition(1);
        assert.throws(() => disk.deletePartition(1), { code: "partition/enxio" });
        await assert.rejects(blockDevices.open(name), { code: "block/enoent" });
      },
    ),
    "open() for one alone refuses a disk while one of its partitions is held": onDisk(
      async (path, { linux: { blockDevices } }) => {
        await using disk = await blockDevices.open(path);
        disk.addPartition(1, { startBytes: 4 * mib, sizeBytes: 2 * mib });
        const name = `${path}${/\d$/.test(path) ? "p" : ""}1`;
        {
          await using _holder = await blockDevices.open(name, { exclusive: true });
          await assert.rejects(blockDevices.open(path, { exclusive: true }), { code: "block/ebusy" });
        }
        disk.deletePartition(1);
      },
    ),
  },
};
