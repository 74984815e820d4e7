import { OsError } from "@talos-ts/base";

/** A secret that a machine of this type cannot be without; `path` is where it belongs in the configuration. */
export function missingSecret(path: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "secrets/missing",
    message: `missing ${path} secret`,
    next: "talosctl edit machineconfig",
  });
}
