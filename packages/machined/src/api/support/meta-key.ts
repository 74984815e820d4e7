import { OsError } from "@talos-ts/base";

/**
 * Checks that a key of META is one byte.
 * @throws OsError `meta/key`
 */
export function requireMetaKey(key: number): void {
  if (key <= 0xff) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "meta/key",
    message: "key must be a uint8",
    next: "talosctl get metakeys",
    details: { key },
  });
}
