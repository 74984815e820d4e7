import type { CapturedFrame } from "@talos-ts/linux";

const magic = 0xa1b2c3d4;

/** Link types of pcap files (LINKTYPE_*). */
export const pcapLinkTypes = { ethernet: 1, raw: 101 } as const;

/** The head of a pcap file with times in microseconds (pcap-savefile(5)). */
export function pcapHeader(snapLength: number, linkType: number): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(magic, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(snapLength, 16);
  header.writeUInt32LE(linkType, 20);
  return header;
}

/** The records of frames, one after the other. */
export function pcapRecords(frames: readonly CapturedFrame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ nanoseconds, bytes, originalLength }) => {
      const header = Buffer.alloc(16);
      header.writeUInt32LE(Number((nanoseconds / 1_000_000_000n) & 0xffff_ffffn), 0);
      header.writeUInt32LE(Number((nanoseconds % 1_000_000_000n) / 1000n), 4);
      header.writeUInt32LE(bytes.length, 8);
      header.writeUInt32LE(originalLength, 12);
      return [header, bytes];
    }),
  );
}
