import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The disk the system is installed on. */
export const SystemDisk = defineResource({
  type: "SystemDisks.block.talos.dev",
  namespace: "runtime",
  columns: [["Disk", "{.diskID}"]],
  id: "system-disk",
  spec: {
    diskID: field(1, text),
    devPath: field(2, text),
  },
});

export type SystemDiskSpec = SpecOf<typeof SystemDisk>;
