/** Labels of the partitions that the system itself has; also the ids of their volume resources. */
export const systemVolumes = {
  /** Identity and configuration of the node, at `/system/state`. */
  state: "STATE",
  /** Everything a configured node keeps, at `/var`. */
  ephemeral: "EPHEMERAL",
  /** Marks the disk of the system; keeps what the machine needs before it can read its state. */
  meta: "META",
  /** Boot loader and the versions of the system that it starts. */
  efi: "EFI",
  /** Container images that came with the disk. */
  imageCache: "IMAGECACHE",
} as const;
