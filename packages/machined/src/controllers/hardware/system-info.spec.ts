import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { MemoryModule, Processor, SystemInformation } from "@talos-ts/machinery/resources/hardware";
import { MetaKey, MetaLoad } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { systemInfoController } from "./system-info.ts";
import { smbiosStructure } from "./testing/smbios-table.ts";

const u16 = (value: number): readonly number[] => [value & 0xff, value >> 8];
const uuid = [...Buffer.from("78563412341278569abc0123456789ab", "hex")];

const system = smbiosStructure(1, [1, 2, 3, 0, ...uuid, 6, 4, 0], ["QEMU", "Standard PC", "pc-q35", "sku"]);
const sockets = [1, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0];
const speeds = [...u16(2000), ...u16(1900), 0x41, 1];
const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 2, 4, 0, 0, 0, 0, ...u16(300), ...u16(300)];
const processor = smbiosStructure(4, [...sockets, ...speeds, ...counts], ["CPU 0", "QEMU", "Nehalem"]);
const memory = (size: number, extended = 0): Buffer =>
  smbiosStructure(
    17,
    [0, 0, 0, 0, 0, 0, 0, 0, ...u16(size), 9, 0, 1, 2, 7, 0, 0, ...u16(3200), 3, 0, 0, 0, 0, ...u16(extended), 0, 0],
    ["DIMM 0", `P0 ${String(size)}`, "QEMU"],
  );
const table = Buffer.concat([system, processor, memory(1024), memory(0x7fff, 40_000), memory(0)]);
const loaded = createResource(MetaLoad, MetaLoad.id, MetaLoad.spec({ done: true }));

async function start(mode: "metal" | "container", bytes?: Buffer) {
  const root = await temporaryDirectory();
  const folder = join(root.path, "sys/firmware/dmi/tables");
  await mkdir(folder, { recursive: true });
  if (bytes !== undefined) await writeFile(join(folder, "DMI"), bytes);
  const machine = testMachine({ root: root.path, platform: { mode } });
  const kit = controllerTest({ register: [systemInfoController(machine)] });
  return {
    kit,
    async [Symbol.asyncDispose]() {
      await kit[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

describe("systemInfoController()", () => {
  it("publishes what the firmware says, once META is read", async () => {
    await using at = await start("metal", table);
    await at.kit.settled();
    await at.kit.assertNoResource(SystemInformation, "systeminformation");
    await at.kit.create(loaded);
    await at.kit.assertSpec(SystemInformation, "systeminformation", {
      manufacturer: "QEMU",
      productName: "Standard PC",
      version: "pc-q35",
      serialnumber: "",
      uuid: "12345678-1234-5678-9abc-0123456789ab",
      wakeUpType: "Power Switch",
      skuNumber: "sku",
    });
    await at.kit.assertResource(Processor, "CPU-0", ({ spec }) =>
      assert.deepEqual(
        [spec.productName, spec.maxSpeedMhz, spec.bootSpeedMhz, spec.coreCount, spec.coreEnabled, spec.threadCount],
        ["Nehalem", 2000, 1900, 300, 2, 4],
      ),
    );
    await at.kit.assertResource(MemoryModule, "DIMM-0-P0-1024", ({ spec }) =>
      assert.deepEqual([spec.sizeMiB, spec.speed, spec.manufacturer], [1024, 3200, "QEMU"]),
    );
    await at.kit.assertResource(MemoryModule, "DIMM-0-P0-32767", ({ spec }) => assert.equal(spec.sizeMiB, 40_000));
    await at.kit.assertSpec(MemoryModule, "DIMM-0-P0-0", MemoryModule.spec());
  });
  it("gives the machine the UUID of META, for as long as there is one", async () => {
    await using at = await start("metal", table);
    const other = createResource(MetaKey, "0x0f", MetaKey.spec({ value: "00000000-0000-0000-0000-00000000000a" }));
    await at.kit.create(other, loaded);
    const hasUuid = (text: string) =>
      at.kit.assertResource(SystemInformation, "systeminformation", ({ spec }) => assert.equal(spec.uuid, text));
    await hasUuid("00000000-0000-0000-0000-00000000000a");
    await at.kit.remove(other);
    await hasUuid("12345678-1234-5678-9abc-0123456789ab");
  });
  it("knows the memory of a machine whose firmware says nothing", async () => {
    await using at = await start("metal");
    await at.kit.create(loaded);
    await at.kit.assertResource(MemoryModule, "UNKNOWN", ({ spec }) => assert.ok(spec.sizeMiB > 0));
    await at.kit.assertResource(SystemInformation, "systeminformation", ({ spec }) => assert.equal(spec.uuid, ""));
  });
  it("publishes nothing in a container", async () => {
    await using at = await start("container", table);
    await at.kit.create(loaded);
    await at.kit.settled();
    await at.kit.assertNoResource(SystemInformation, "systeminformation");
  });
});
