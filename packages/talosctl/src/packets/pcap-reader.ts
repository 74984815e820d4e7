import { OsError } from "@talos-ts/base";

/** A packet of a pcap file. */
export interface PcapPacket {
  /** Time since the epoch, in microseconds. */
  readonly microseconds: bigint;
  readonly bytes: Buffer;
  readonly originalLength: number;
  /** LINKTYPE_* of the file. */
  readonly linkType: number;
}

/** Takes the bytes of a pcap file as they come and gives the packets that are whole. */
export interface PcapReader {
  add(bytes: Uint8Array): readonly PcapPacket[];
}

const magic = 0xa1b2c3d4;
const headerBytes = 24;
const recordBytes = 16;
/** Larger packets than any link has: the stream is none of pcap. */
const maxPacket = 262_144;

/** Reads the form that nodes send: little-endian, times in microseconds. */
export function createPcapReader(): PcapReader {
  let waiting: Buffer = Buffer.alloc(0);
  let linkType: number | undefined;

  function take(length: number): Buffer | undefined {
    if (waiting.length < length) return undefined;
    const taken = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    return taken;
  }

  return {
    add(bytes) {
      waiting = Buffer.concat([waiting, bytes]);
      if (linkType === undefined) {
        const header = take(headerBytes);
        if (header === undefined) return [];
        if (header.readUInt32LE(0) !== magic) throw notPcap("its first bytes are not those of a pcap file");
        linkType = header.readUInt32LE(20);
      }
      const packets: PcapPacket[] = [];
      while (waiting.length >= recordBytes) {
        const length = waiting.readUInt32LE(8);
        if (length > maxPacket) throw notPcap(`a packet of ${String(length)} bytes`);
        const record = take(recordBytes + length);
        if (record === undefined) break;
        packets.push({
          microseconds: BigInt(record.readUInt32LE(0)) * 1_000_000n + BigInt(record.readUInt32LE(4)),
          bytes: record.subarray(recordBytes),
          originalLength: record.readUInt32LE(12),
          linkType,
        });
      }
      return packets;
    },
  };
}

const notPcap = (found: string): OsError =>
  new OsError({ kind: "data-loss", code: "cli/not-pcap", message: `Cannot read the packets of the node: ${found}` });
