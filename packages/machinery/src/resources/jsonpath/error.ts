import { OsError } from "@talos-ts/base";

/** A template that cannot be read, or a path that does not fit the value. */
export function jsonPathError(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "jsonpath/invalid", message });
}
