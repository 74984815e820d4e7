import { defineResource, field, omitEmpty, text, uint32, uint64, type SpecOf } from "../dsl/index.ts";

/** A partition or file system that was found by probing a device. */
export const DiscoveredVolume = defineResource({
  type: "DiscoveredVolumes.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Type", "{.type}"],
    ["Size", "{.pretty_size}"],
    ["Discovered", "{.name}"],
    ["Label", "{.label}"],
    ["PartitionLabel", "{.partition_label}"],
  ],
  spec: {
    devPath: field(17, text, "dev_path"),
    type: field(14, text),
    devicePath: field(15, text, "device_path"),
    parent: omitEmpty(16, text),
    parentDevPath: omitEmpty(18, text, "parent_dev_path"),
    offset: field(20, uint64),
    size: field(1, uint64),
    prettySize: field(19, text, "pretty_size"),
    sectorSize: omitEmpty(2, uint64, "sector_size"),
    ioSize: omitEmpty(3, uint64, "io_size"),
    name: field(4, text),
    uuid: omitEmpty(5, text),
    label: omitEmpty(6, text),
    blockSize: omitEmpty(7, uint32, "block_size"),
    filesystemBlockSize: omitEmpty(8, uint32, "filesystem_block_size"),
    probedSize: omitEmpty(9, uint64, "probed_size"),
    partitionUuid: omitEmpty(10, text, "partition_uuid"),
    partitionType: omitEmpty(11, text, "partition_type"),
    partitionLabel: omitEmpty(12, text, "partition_label"),
    partitionIndex: omitEmpty(13, uint64, "partition_index"),
  },
});

export type DiscoveredVolumeSpec = SpecOf<typeof DiscoveredVolume>;
