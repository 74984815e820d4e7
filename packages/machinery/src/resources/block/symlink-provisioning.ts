import { bool, field, message, text, type ValueOf } from "../dsl/index.ts";

/** Target of a symlink volume. */
export const symlinkProvisioning = message({
  symlinkTargetPath: field(1, text),
  force: field(2, bool),
});

export type SymlinkProvisioning = ValueOf<typeof symlinkProvisioning>;
