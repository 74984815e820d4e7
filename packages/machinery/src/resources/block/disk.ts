import { bool, defineResource, field, list, omitEmpty, text, uint64, type SpecOf } from "../dsl/index.ts";

/** A whole disk with its size, model, serial number and transport. */
export const Disk = defineResource({
  type: "Disks.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Size", "{.pretty_size}"],
    ["Read Only", "{.readonly}"],
    ["Transport", "{.transport}"],
    ["Rotational", "{.rotational}"],
    ["WWID", "{.wwid}"],
    ["Model", "{.model}"],
    ["Serial", "{.serial}"],
  ],
  spec: {
    devPath: field(14, text, "dev_path"),
    size: field(1, uint64),
    prettySize: field(15, text, "pretty_size"),
    ioSize: field(2, uint64, "io_size"),
    sectorSize: field(3, uint64, "sector_size"),
    readonly: field(4, bool),
    cdrom: field(13, bool),
    model: omitEmpty(5, text),
    serial: omitEmpty(6, text),
    modalias: omitEmpty(7, text),
    wwid: omitEmpty(8, text),
    uuid: omitEmpty(17, text),
    busPath: omitEmpty(9, text, "bus_path"),
    subSystem: omitEmpty(10, text, "sub_system"),
    transport: omitEmpty(11, text),
    rotational: omitEmpty(12, bool),
    secondaryDisks: omitEmpty(16, list(text), "secondary_disks"),
    symlinks: omitEmpty(18, list(text)),
  },
});

export type DiskSpec = SpecOf<typeof Disk>;
