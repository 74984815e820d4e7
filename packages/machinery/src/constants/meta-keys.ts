/** Keys of META whose values the system itself reads, by what they hold (Talos' `meta` constants). */
export const metaKeys = {
  /** Network configuration of a machine on hardware of its own: YAML of a `PlatformConfig`. */
  metalNetworkPlatformConfig: 0x0a,
  /** UUID that the machine has instead of the one of its hardware. */
  uuidOverride: 0x0f,
} as const;

/** Id of the `MetaKey` with the value of a key: `0x0a`. */
export function metaKeyId(key: number): string {
  return `0x${key.toString(16).padStart(2, "0")}`;
}
