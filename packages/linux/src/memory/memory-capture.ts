import { createQueue, OsError } from "@talos-ts/base";
import type { CapturedFrame, PacketCapture, PacketCaptureOptions } from "../network/packet-capture.ts";
import type { MemoryNamespace } from "./memory-namespace.ts";

/** Header of frames in memory: nobody's addresses, IPv4. */
const header = Buffer.from("0000000000000000000000000800", "hex");

/** Captures the packets that arrive over a link in memory. It runs no BPF programs. */
export function openMemoryCapture(home: MemoryNamespace, options: PacketCaptureOptions): PacketCapture {
  if ((options.filter ?? []).length > 0) {
    throw new OsError({
      kind: "unimplemented",
      code: "packet/no-filter",
      message: "attach a BPF filter: links in memory have none",
    });
  }
  const queue = createQueue<readonly CapturedFrame[]>();
  let frames = 0;
  const read = (packet: Buffer): void => {
    frames += 1;
    const frame = Buffer.concat([header, packet]);
    const bytes = frame.subarray(0, options.snapLength);
    queue.push([{ nanoseconds: BigInt(Date.now()) * 1_000_000n, bytes, originalLength: frame.length }]);
  };
  const readers = home.packetReaders.get(options.linkIndex) ?? new Set();
  home.packetReaders.set(options.linkIndex, readers.add(read));
  return {
    batches: queue,
    statistics() {
      const counted = { frames, dropped: 0 };
      frames = 0;
      return counted;
    },
    [Symbol.dispose]() {
      readers.delete(read);
      queue.close();
    },
  };
}
