import { defineResource, field, int64, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A block device as the kernel sees it; `generation` grows whenever it changed. */
export const BlockDevice = defineResource({
  type: "BlockDevices.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Type", "{.type}"],
    ["PartitionName", "{.partitionName}"],
    ["Generation", "{.generation}"],
  ],
  spec: {
    type: field(1, text),
    major: field(2, int64),
    minor: field(3, int64),
    partitionName: omitEmpty(4, text),
    partitionNumber: omitEmpty(5, int64),
    devicePath: field(7, text),
    generation: field(6, int64),
    parent: omitEmpty(8, text),
    secondaries: omitEmpty(9, list(text)),
  },
});

export type BlockDeviceSpec = SpecOf<typeof BlockDevice>;
