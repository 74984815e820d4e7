import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource, listTyped, type State } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MetaKey } from "@talos-ts/machinery/resources/runtime";
import { createMetaStore } from "./create-meta-store.ts";
import { metaCapacityBytes } from "./meta-codec.ts";
import { openMetaDevice, readMetaPartition } from "./meta-partition.ts";

const { signal } = new AbortController();
const missing = createResource(VolumeStatus, "META", VolumeStatus.spec({ phase: "missing" }));
const ready = (mountLocation: string) => VolumeStatus.spec({ phase: "ready", mountLocation });

async function setUp() {
  const folder = await temporaryDirectory();
  const path = join(folder.path, "meta");
  await writeFile(path, Buffer.alloc(1024 ** 2));
  const kit = controllerTest({ register: [] });
  return {
    kit,
    path,
    store: createMetaStore(kit.state),
    onDisk: async () => {
      await using device = await openMetaDevice(path);
      return Object.fromEntries([...(await readMetaPartition(device))].map(([key, value]) => [key, value.toString()]));
    },
    async [Symbol.asyncDispose]() {
      await kit[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function shown(state: State): Promise<Record<string, string>> {
  return Object.fromEntries((await listTyped(state, MetaKey)).map(({ metadata, spec }) => [metadata.id, spec.value]));
}

describe("createMetaStore()", () => {
  it("keeps values on the partition and shows them", async () => {
    await using at = await setUp();
    await at.kit.create(createResource(VolumeStatus, "META", ready(at.path)));
    await at.store.write(0x0c, Buffer.from("one"), signal);
    await at.store.write(0x0d, Buffer.from("two"), signal);
    await at.store.write(0x0c, Buffer.from("three"), signal);
    assert.deepEqual(await at.onDisk(), { 12: "three", 13: "two" });
    assert.deepEqual(await shown(at.kit.state), { "0x0c": "three", "0x0d": "two" });
    assert.equal(await at.store.delete(0x0d, signal), true);
    assert.equal(await at.store.delete(0x0d, signal), false);
    assert.deepEqual(await at.onDisk(), { 12: "three" });
    assert.deepEqual(await shown(at.kit.state), { "0x0c": "three" });
  });
  it("keeps what an earlier boot wrote, also when the first call is a write", async () => {
    await using at = await setUp();
    await at.kit.create(createResource(VolumeStatus, "META", ready(at.path)));
    await at.store.write(0x0c, Buffer.from("old"), signal);
    await createMetaStore(at.kit.state).write(0x0d, Buffer.from("new"), signal);
    assert.deepEqual(await at.onDisk(), { 12: "old", 13: "new" });
    assert.deepEqual(await shown(at.kit.state), { "0x0c": "old", "0x0d": "new" });
  });
  it("keeps values in memory until the machine is installed, and then on the partition", async () => {
    await using at = await setUp();
    await at.kit.create(missing);
    await at.store.load(signal);
    await at.store.write(0x0c, Buffer.from("early"), signal);
    await at.store.flush(signal);
    assert.deepEqual(await shown(at.kit.state), { "0x0c": "early" });
    assert.deepEqual(await at.onDisk(), {});
    await at.kit.update(VolumeStatus, "META", () => ready(at.path));
    await at.store.load(signal);
    await at.store.flush(signal);
    assert.deepEqual(await at.onDisk(), { 12: "early" });
  });
  it("waits until it is known whether there is a partition", async () => {
    await using at = await setUp();
    await at.kit.create(createResource(VolumeStatus, "META", VolumeStatus.spec({ phase: "waiting" })));
    const written = at.store.write(0x0c, Buffer.from("x"), signal);
    const abort = new AbortController();
    const left = at.store.write(0x0d, Buffer.from("y"), abort.signal);
    abort.abort(new Error("enough"));
    await at.kit.update(VolumeStatus, "META", () => ready(at.path));
    await written;
    await assert.rejects(left, { message: "enough" });
    assert.deepEqual(await at.onDisk(), { 12: "x" });
  });
  it("refuses what does not fit, with or without a partition, and keeps what it had", async () => {
    await using at = await setUp();
    await at.kit.create(missing);
    const tooMuch = Buffer.alloc(metaCapacityBytes);
    await assert.rejects(at.store.write(1, tooMuch, signal), { code: "meta/full" });
    await assert.rejects(at.store.write(0, Buffer.alloc(0), signal), { code: "meta/key" });
    await at.kit.update(VolumeStatus, "META", () => ready(at.path));
    await at.store.write(2, Buffer.from("kept"), signal);
    await assert.rejects(at.store.write(1, tooMuch, signal), { code: "meta/full" });
    assert.deepEqual(await at.onDisk(), { 2: "kept" });
    assert.deepEqual(await shown(at.kit.state), { "0x02": "kept" });
  });
  it("shows nothing that is not on the disk when the disk fails", async () => {
    await using at = await setUp();
    await at.kit.create(createResource(VolumeStatus, "META", ready(at.path)));
    await at.store.write(1, Buffer.from("kept"), signal);
    await at.kit.update(VolumeStatus, "META", () => ready(`${at.path}-gone`));
    await assert.rejects(at.store.write(2, Buffer.from("lost"), signal), { code: "ENOENT" });
    assert.deepEqual(await shown(at.kit.state), { "0x01": "kept" });
  });
});
