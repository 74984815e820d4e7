/** Bytes of a device from a position on; both are multiples of its sector size. */
export interface BlockRange {
  readonly startBytes: number;
  readonly sizeBytes: number;
}

/** Settings of opening a device. */
export interface OpenBlockOptions {
  /** Refuses a device that is mounted or held by somebody, and keeps others from mounting it. @default {false} */
  readonly exclusive?: boolean;
}

/** Disks and partitions by the paths of their devices. Errors have codes `block/<errno>`. */
export interface BlockDevices {
  /** Opens a device for reading and writing. */
  open(path: string, options?: OpenBlockOptions): Promise<OpenBlockDevice>;
}

/** A device that is open; disposing closes it. */
export interface OpenBlockDevice extends AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  /** Smallest unit that the device reads and writes. */
  readonly sectorBytes: number;
  read(range: BlockRange): Promise<Buffer>;
  write(startBytes: number, bytes: Buffer): Promise<void>;
  /** Makes a range read as zeros. */
  zero(range: BlockRange): Promise<void>;
  /** Tells the device that nobody needs a range, whose content is unknown afterwards. Many devices cannot: `block/eopnotsupp`. */
  discard(range: BlockRange): Promise<void>;
  /** Returns once everything that was written survives a power cut. */
  sync(): Promise<void>;
  /** Tells the kernel of a partition; others of the disk may be in use. @param number Counts from 1. */
  addPartition(number: number, range: BlockRange): void;
  /** Has the kernel forget a partition, which nobody may have open. */
  deletePartition(number: number): void;
}
