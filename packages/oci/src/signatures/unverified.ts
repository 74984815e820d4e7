import { OsError } from "@talos-ts/base";

/** An image whose signature is missing or wrong. */
export function unverified(message: string, cause?: unknown): OsError {
  return new OsError({ kind: "permission-denied", code: "image/unverified", message, cause });
}
