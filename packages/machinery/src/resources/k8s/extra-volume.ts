import { bool, field, message, text, type ValueOf } from "../dsl/index.ts";

/** A host path mounted into a control plane pod. */
export const extraVolume = message({
  name: field(1, text),
  hostPath: field(2, text),
  mountPath: field(3, text),
  readonly: field(4, bool),
});

export type ExtraVolume = ValueOf<typeof extraVolume>;
