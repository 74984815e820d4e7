import type { BlockDevices, BlockRange, OpenBlockDevice } from "../block/block-devices.ts";
import { kernelError, type ErrnoName } from "../ffi/errno.ts";

/** A disk or a partition in memory, as tests look at it. */
export interface MemoryBlockDevice {
  /** Content; that of a partition is a part of its disk's. */
  readonly bytes: Buffer;
  /** True while it is mounted, or open for one alone. */
  held: boolean;
  /** Number of times that it is open. */
  opened: number;
  /** Partitions that the kernel knows, by number. */
  readonly partitions: Map<number, { readonly path: string }>;
}

export interface MemoryBlockDevices extends BlockDevices {
  /** Devices by path. */
  readonly devices: ReadonlyMap<string, MemoryBlockDevice>;
  /** Plugs a disk in, filled with zeros. */
  addDisk(path: string, sizeBytes: number): MemoryBlockDevice;
}

const sectorBytes = 512;

export function createMemoryBlockDevices(): MemoryBlockDevices {
  const devices = new Map<string, MemoryBlockDevice>();

  const add = (path: string, bytes: Buffer): MemoryBlockDevice => {
    const device: MemoryBlockDevice = { bytes, held: false, opened: 0, partitions: new Map() };
    devices.set(path, device);
    return device;
  };

  return {
    devices,
    addDisk: (path, sizeBytes) => add(path, Buffer.alloc(sizeBytes)),
    async open(path, { exclusive = false } = {}) {
      const device = devices.get(path);
      if (device === undefined) throw refusal(`open block device "${path}"`, "ENOENT");
      const busy = device.held || device.partitions.values().some((each) => devices.get(each.path)?.held === true);
      if (exclusive && busy) throw refusal(`open block device "${path}"`, "EBUSY");
      if (exclusive) device.held = true;
      device.opened += 1;
      return {
        ...contentOf(path, device.bytes),
        addPartition(number, { startBytes, sizeBytes }) {
          const action = `add partition ${String(number)} of "${path}"`;
          if (device.partitions.has(number)) throw refusal(action, "EBUSY", "partition");
          const partition = partitionPath(path, number);
          add(partition, device.bytes.subarray(startBytes, startBytes + sizeBytes));
          device.partitions.set(number, { path: partition });
        },
        deletePartition(number) {
          const partition = device.partitions.get(number)?.path ?? "";
          const action = `delete partition ${String(number)} of "${path}"`;
          const known = devices.get(partition);
          if (known === undefined) throw refusal(action, "ENXIO", "partition");
          if (known.opened > 0) throw refusal(action, "EBUSY", "partition");
          devices.delete(partition);
          device.partitions.delete(number);
        },
        async [Symbol.asyncDispose]() {
          if (exclusive) device.held = false;
          device.opened -= 1;
        },
      };
    },
  };
}

type Content = Omit<OpenBlockDevice, "addPartition" | "deletePartition" | typeof Symbol.asyncDispose>;

function contentOf(path: string, bytes: Buffer): Content {
  const zero = async ({ startBytes, sizeBytes }: BlockRange): Promise<void> => {
    const end = startBytes + sizeBytes;
    const fits = startBytes % sectorBytes === 0 && sizeBytes % sectorBytes === 0 && end <= bytes.length;
    if (!fits) throw refusal(`zero ${String(sizeBytes)} bytes from ${String(startBytes)} of "${path}"`, "EINVAL");
    bytes.fill(0, startBytes, end);
  };
  return {
    path,
    sizeBytes: bytes.length,
    sectorBytes,
    read: async ({ startBytes, sizeBytes }) => Buffer.from(bytes.subarray(startBytes, startBytes + sizeBytes)),
    async write(startBytes, data) {
      if (startBytes + data.length > bytes.length) throw refusal(`write to block device "${path}"`, "ENOSPC");
      data.copy(bytes, startBytes);
    },
    zero,
    discard: zero,
    sync: async () => {},
  };
}

/** Names of partitions have a `p` before their number where the name of the disk ends in a digit. */
function partitionPath(disk: string, number: number): string {
  return `${disk}${/\d$/.test(disk) ? "p" : ""}${String(number)}`;
}

function refusal(action: string, errno: ErrnoName, area = "block"): Error {
  return kernelError({ area, action, errno });
}
