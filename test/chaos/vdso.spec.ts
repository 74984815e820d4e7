import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findVdso, parseVdso, readMemory, readOwnVdso } from "./vdso.ts";

describe("readOwnVdso", () => {
  it("finds the functions that tell the time, within the image and apart from each other", async () => {
    const { bytes, functions, end } = await readOwnVdso();
    const names = ["__vdso_clock_gettime", "__vdso_gettimeofday", "__vdso_time"];
    const ranges = names
      .map((name) => functions.get(name))
      .map((found) => [found?.offset ?? 0, (found?.offset ?? 0) + (found?.size ?? 0)] as const)
      .toSorted(([left], [right]) => left - right);
    for (const [index, [from, to]] of ranges.entries()) {
      assert.ok(from > (ranges[index - 1]?.[1] ?? 0) && to > from && to <= end, `${String(from)} to ${String(to)}`);
    }
    assert.deepEqual(functions.get("clock_gettime"), functions.get("__vdso_clock_gettime"));
    assert.ok(end <= bytes.length && bytes.length % 4096 === 0);
    assert.ok(bytes.subarray(end).every((byte) => byte === 0));
  });
});

describe("findVdso", () => {
  it("finds that of another process, with the same contents", async () => {
    const { bytes } = await readOwnVdso();
    const address = await findVdso(process.ppid);
    assert.ok(address !== undefined && address % 4096 === 0);
    assert.ok((await readMemory(process.ppid, address, bytes.length)).equals(bytes));
  });
  it("finds none of a process that is not there", async () => {
    assert.equal(await findVdso(2 ** 22 + 1), undefined);
  });
});

describe("parseVdso", () => {
  it("refuses what is no image, and one without symbols", async () => {
    assert.throws(() => parseVdso(Buffer.alloc(4096)), /not ELF/);
    const { bytes } = await readOwnVdso();
    const bare = Buffer.from(bytes);
    bare.writeUInt16LE(0, 0x3c);
    assert.throws(() => parseVdso(bare), /no symbols/);
  });
});
