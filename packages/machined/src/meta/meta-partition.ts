import { open } from "node:fs/promises";
import { decodeMetaCopy, encodeMetaCopy, metaCopyBytes, type MetaValues } from "./meta-codec.ts";

/** Device with the two copies. */
export interface MetaDevice extends AsyncDisposable {
  /** Gives fewer bytes where the device ends. */
  read(at: number, bytes: number): Promise<Buffer>;
  write(at: number, bytes: Buffer): Promise<void>;
  /** Returns once everything that was written survives a power cut. */
  sync(): Promise<void>;
}

/** Opens a device or a file by its path. */
export type OpenMetaDevice = (path: string) => Promise<MetaDevice>;

const positions = [0, metaCopyBytes] as const;

/** Reads the values: those of the first copy that is whole; none when there is no such copy. */
export async function readMetaPartition(device: MetaDevice): Promise<MetaValues> {
  for (const at of positions) {
    const values = decodeMetaCopy(await device.read(at, metaCopyBytes));
    if (values !== undefined) return values;
  }
  return new Map();
}

/**
 * Writes both copies, one after the other, so that at any time one of them is whole: if the power fails, the values are the old
 * ones or the new ones. The copy that an earlier failure damaged is written first.
 *
 * @throws OsError `meta/full`
 */
export async function writeMetaPartition(device: MetaDevice, values: MetaValues): Promise<void> {
  const copy = encodeMetaCopy(values);
  const [first, second] = positions;
  const secondIsWhole = decodeMetaCopy(await device.read(second, metaCopyBytes)) !== undefined;
  for (const at of secondIsWhole ? [first, second] : [second, first]) {
    await device.write(at, copy);
    await device.sync();
  }
}

/** Opens the partition, or a file in its place. */
export const openMetaDevice: OpenMetaDevice = async (path) => {
  const file = await open(path, "r+");
  return {
    async read(at, bytes) {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(buffer, 0, bytes, at);
      return buffer.subarray(0, bytesRead);
    },
    async write(at, bytes) {
      for (let done = 0; done < bytes.length;) {
        done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
      }
    },
    sync: () => file.sync(),
    [Symbol.asyncDispose]: () => file.close(),
  };
};
