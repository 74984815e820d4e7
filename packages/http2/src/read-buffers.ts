import type { OnReadOpts } from "node:net";
import { lendReceived } from "./internal/received-bytes.ts";

const slabBytes = 65_536;
/** Reading into less than this would cut large frames into many parts. */
const minReadBytes = 16_384;

/** Buffers for a socket to read into, and where to send what was read. */
export interface ReadBuffers {
  /** The `onread` option of `net.connect`. */
  readonly onread: OnReadOpts;
  /** Sets the receiver; what was read before is not kept, so call it before the socket connects. */
  deliverTo(receive: (chunk: Buffer) => void): void;
}

/**
 * Lets a socket read into parts of large buffers, one behind the other, instead of one new buffer for each read. A part that
 * nobody keeps is read into again; one of which a stream keeps something (see `StreamSink.borrows`) is not.
 */
export function readBuffers(): ReadBuffers {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let used = 0;
  let receiver: ((chunk: Buffer) => void) | undefined;
  return {
    onread: {
      buffer() {
        if (slab.length - used < minReadBytes) {
          slab = Buffer.allocUnsafeSlow(slabBytes);
          used = 0;
        }
        return slab.subarray(used);
      },
      callback(count) {
        const chunk = slab.subarray(used, used + count);
        if (receiver !== undefined && lendReceived(receiver, chunk)) used += count;
        return true;
      },
    },
    deliverTo(receive) {
      receiver = receive;
    },
  };
}
