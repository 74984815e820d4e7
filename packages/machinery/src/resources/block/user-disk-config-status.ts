import { bool, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** Reports whether the disks of `machine.disks` are ready. */
export const UserDiskConfigStatus = defineResource({
  type: "UserDiskConfigStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [["Ready", "{.ready}"]],
  id: "user-disks",
  spec: {
    ready: field(1, bool),
    tornDown: field(2, bool),
  },
});

export type UserDiskConfigStatusSpec = SpecOf<typeof UserDiskConfigStatus>;
