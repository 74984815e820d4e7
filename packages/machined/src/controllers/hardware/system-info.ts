import { readOptional } from "@talos-ts/host";
import { createResource, exclusive, reduceController, weak, type Controller, type Resource } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { metaKeyId, metaKeys } from "@talos-ts/machinery/constants";
import { MemoryModule, Processor, SystemInformation } from "@talos-ts/machinery/resources/hardware";
import { MetaKey, MetaLoad } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { numberAt, parseSmbios, stringAt, uuidAt, type SmbiosStructure } from "./internal/smbios.ts";

const tablePath = "/sys/firmware/dmi/tables/DMI";
const uuidOverride = metaKeyId(metaKeys.uuidOverride);

/** Types of structures that are looked at. */
const types = { system: 1, processor: 4, memory: 17 } as const;

/**
 * Publishes machine, processors and memory as the firmware describes them, once META is read: it may have another UUID. In a
 * container the table is the host's.
 */
export function systemInfoController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: Pick<Linux, "procfs">;
  readonly root: string;
}): Controller {
  return reduceController({
    name: "hardware.SystemInfoController",
    inputs: [weak(MetaKey, { id: uuidOverride }), weak(MetaLoad, { id: MetaLoad.id })],
    outputs: [exclusive(Processor), exclusive(MemoryModule), exclusive(SystemInformation)],
    async reduce(context) {
      if (machine.platform.mode === "container") return [];
      if ((await context.find(MetaLoad, MetaLoad.id)) === undefined) return undefined;
      const structures = parseSmbios((await readOptional(`${machine.root}${tablePath}`)) ?? Buffer.alloc(0));
      const ofType = (type: number): readonly SmbiosStructure[] => structures.filter((each) => each.type === type);
      const uuid = (await context.find(MetaKey, uuidOverride))?.spec.value ?? "";
      const modules = ofType(types.memory).map(memoryModule);
      return [
        systemInformation(ofType(types.system)[0], uuid),
        ...ofType(types.processor).map(processor),
        ...(modules.length === 0 ? [await unknownMemory(machine)] : modules),
      ];
    },
  });
}

/** Reasons why a machine was switched on, by their numbers. */
const wakeUpTypes = [
  "Reserved",
  "Other",
  "Unknown",
  "APM Timer",
  "Modem Ring",
  "LAN Remote",
  "Power Switch",
  "PCI PME#",
  "AC Power Restored",
] as const;

function systemInformation(system: SmbiosStructure | undefined, uuid: string): Resource {
  const spec =
    system === undefined
      ? { uuid }
      : {
          manufacturer: stringAt(system, 0x04),
          productName: stringAt(system, 0x05),
          version: stringAt(system, 0x06),
          serialnumber: stringAt(system, 0x07),
          uuid: uuid === "" ? uuidAt(system, 0x08) : uuid,
          wakeUpType: wakeUpTypes[numberAt(system, 0x18, 1)] ?? "Unknown",
          skuNumber: stringAt(system, 0x19),
        };
  return createResource(SystemInformation, SystemInformation.id, SystemInformation.spec(spec));
}

/** Bit of a processor's status: its socket is populated. */
const populated = 0x40;

function processor(found: SmbiosStructure): Resource {
  const socket = stringAt(found, 0x04);
  const status = numberAt(found, 0x18, 1);
  const spec =
    (status & populated) === 0
      ? {}
      : {
          socket,
          manufacturer: stringAt(found, 0x07),
          productName: stringAt(found, 0x10),
          maxSpeedMhz: numberAt(found, 0x14, 2),
          bootSpeedMhz: numberAt(found, 0x16, 2),
          status,
          serialNumber: stringAt(found, 0x20),
          assetTag: stringAt(found, 0x21),
          partNumber: stringAt(found, 0x22),
          coreCount: countAt(found, 0x23, 0x2a),
          coreEnabled: countAt(found, 0x24, 0x2c),
          threadCount: countAt(found, 0x25, 0x2e),
        };
  return createResource(Processor, idOf(socket), Processor.spec(spec));
}

/** A count of one byte, which is full where the standard has a larger field for it. */
function countAt(structure: SmbiosStructure, offset: number, wide: number): number {
  const count = numberAt(structure, offset, 1);
  return count === 0xff && numberAt(structure, wide, 2) > 0 ? numberAt(structure, wide, 2) : count;
}

function memoryModule(found: SmbiosStructure): Resource {
  const [deviceLocator, bankLocator] = [stringAt(found, 0x10), stringAt(found, 0x11)];
  const sizeMiB = memorySize(found);
  const spec =
    sizeMiB === 0
      ? {}
      : {
          sizeMiB,
          deviceLocator,
          bankLocator,
          speed: numberAt(found, 0x15, 2),
          manufacturer: stringAt(found, 0x17),
          serialNumber: stringAt(found, 0x18),
          assetTag: stringAt(found, 0x19),
          productName: stringAt(found, 0x1a),
        };
  // Locators alone repeat on some boards.
  const id = idOf(bankLocator === "" ? deviceLocator : `${deviceLocator} ${bankLocator}`);
  return createResource(MemoryModule, id, MemoryModule.spec(spec));
}

/** Size in MiB; 0 for a socket that is empty or whose module is not known. */
function memorySize(found: SmbiosStructure): number {
  const size = numberAt(found, 0x0c, 2);
  if (size === 0xffff) return 0;
  if (size === 0x7fff) return numberAt(found, 0x1c, 4);
  const inKilobytes = (size & 0x8000) !== 0;
  return inKilobytes ? Math.floor((size & 0x7fff) / 1024) : size;
}

/** All memory as one module, where the firmware says nothing of it. */
async function unknownMemory({ linux }: { readonly linux: Pick<Linux, "procfs"> }): Promise<Resource> {
  const total = (await linux.procfs.memory()).get("MemTotal") ?? 0;
  const spec = MemoryModule.spec({ sizeMiB: Math.floor(total / 1024), manufacturer: "UNKNOWN" });
  return createResource(MemoryModule, "UNKNOWN", spec);
}

function idOf(name: string): string {
  return name === "" ? "UNKNOWN" : name.replaceAll(" ", "-");
}
