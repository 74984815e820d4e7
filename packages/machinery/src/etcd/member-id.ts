import { OsError } from "@talos-ts/base";

/** Prints the id of an etcd member as people see it: 16 hexadecimal digits. */
export function formatMemberId(id: bigint): string {
  return id.toString(16).padStart(16, "0");
}

/**
 * Reads the id of an etcd member from hexadecimal digits.
 *
 * @throws {OsError} `etcd/bad-member-id`
 */
export function parseMemberId(text: string): bigint {
  if (/^[0-9a-f]{1,16}$/i.test(text)) return BigInt(`0x${text}`);
  throw new OsError({
    kind: "invalid-argument",
    code: "etcd/bad-member-id",
    message: `error parsing member ID: ${JSON.stringify(text)} is not a hexadecimal number of at most 16 digits`,
    next: "talosctl etcd members",
  });
}
