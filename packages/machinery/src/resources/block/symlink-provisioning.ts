import { bool, field, message, text, type ValueOf } from "../dsl/index.ts";

/** Where a symlink volume points to. */
export const symlinkProvisioning = message({
  symlinkTargetPath: field(1, text),
  force: field(2, bool),
});

export type SymlinkProvisioning = ValueOf<typeof symlinkProvisioning>;
