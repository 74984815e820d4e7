import { OsError } from "@talos-ts/base";

/** Refuses a template. */
export function templateError(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "template/bad", message });
}
