import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** The links under `/dev/disk` that lead to a device. */
export const BlockSymlink = defineResource({
  type: "BlockSymlinks.block.talos.dev",
  namespace: "runtime",
  spec: {
    paths: field(1, list(text)),
  },
});

export type BlockSymlinkSpec = SpecOf<typeof BlockSymlink>;
