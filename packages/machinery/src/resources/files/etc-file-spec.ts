import { defineResource, field, text, uint32, type SpecOf } from "../dsl/index.ts";
import { textAsBytes } from "../values/index.ts";

/** Desired contents of a file under `/etc`. */
export const EtcFileSpec = defineResource({
  type: "EtcFileSpecs.files.talos.dev",
  namespace: "files",
  sensitivity: "sensitive",
  spec: {
    contents: field(1, textAsBytes),
    mode: field(2, uint32),
    selinuxLabel: field(3, text, "selinux_label"),
  },
});

export type EtcFileSpecSpec = SpecOf<typeof EtcFileSpec>;
