import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { metaCopyBytes, type MetaValues } from "./meta-codec.ts";
import { openMetaDevice, readMetaPartition, writeMetaPartition, type MetaDevice } from "./meta-partition.ts";

const partitionBytes = 1024 ** 2;
const values = (text: string): MetaValues => new Map([[0x0a, Buffer.from(text)]]);
const textOf = (found: MetaValues): string | undefined => found.get(0x0a)?.toString();

/** A disk that loses its power after some bytes. */
function fragileDevice(disk: Buffer, powerBytes = Number.POSITIVE_INFINITY): MetaDevice {
  let left = powerBytes;
  return {
    read: async (at, bytes) => Buffer.from(disk.subarray(at, at + bytes)),
    async write(at, bytes) {
      bytes.copy(disk, at, 0, Math.min(left, bytes.length));
      left -= bytes.length;
      if (left <= 0) throw new Error("no power");
    },
    sync: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

describe("writeMetaPartition()", () => {
  it("leaves the old values or the new ones, wherever the power fails, again and again", async () => {
    const disk = Buffer.alloc(partitionBytes);
    await writeMetaPartition(fragileDevice(disk), values("0"));
    let last = "0";
    for (let round = 1; round <= 60; round++) {
      const next = String(round);
      const power = round % 5 === 0 ? Number.POSITIVE_INFINITY : randomInt(1, 2 * metaCopyBytes);
      const written = await writeMetaPartition(fragileDevice(disk, power), values(next)).then(
        () => true,
        () => false,
      );
      const found = textOf(await readMetaPartition(fragileDevice(disk))) ?? "none";
      assert.ok(found === next || (!written && found === last), `round ${next}: found ${found}, had ${last}`);
      last = found;
    }
  });
  it("writes nothing when the values do not fit", async () => {
    const disk = Buffer.alloc(partitionBytes);
    const tooMuch = new Map([[1, Buffer.alloc(metaCopyBytes)]]);
    await assert.rejects(writeMetaPartition(fragileDevice(disk), tooMuch), { code: "meta/full" });
    assert.ok(disk.every((byte) => byte === 0));
  });
});

describe("openMetaDevice()", () => {
  it("keeps both copies in a file, and nothing behind them", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "meta");
    await writeFile(path, Buffer.alloc(partitionBytes, 7));
    await using device = await openMetaDevice(path);
    assert.deepEqual(await readMetaPartition(device), new Map());
    await writeMetaPartition(device, values("kept"));
    assert.equal(textOf(await readMetaPartition(device)), "kept");
    const [first, second, rest] = await Promise.all([
      device.read(0, metaCopyBytes),
      device.read(metaCopyBytes, metaCopyBytes),
      device.read(2 * metaCopyBytes, partitionBytes),
    ]);
    assert.deepEqual(first, second);
    assert.equal(rest.length, partitionBytes - 2 * metaCopyBytes);
    assert.ok(rest.every((byte) => byte === 7));
    await device.write(100, Buffer.from("damage"));
    assert.equal(textOf(await readMetaPartition(device)), "kept");
  });
  it("takes a file that is too short for one without values", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "meta");
    await writeFile(path, "");
    await truncate(path, 1000);
    await using device = await openMetaDevice(path);
    assert.deepEqual(await readMetaPartition(device), new Map());
  });
});
