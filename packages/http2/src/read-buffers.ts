import type { OnReadOpts } from "node:net";
import { ReceiveMemory } from "./internal/received-bytes.ts";

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
 * nobody keeps is read into again; one that a stream keeps (see `StreamSink.borrows`) is not until it is sent.
 */
export function readBuffers(): ReadBuffers {
  const memory = new ReceiveMemory();
  let receiver: ((chunk: Buffer) => void) | undefined;
  return {
    onread: {
      buffer: () => memory.next(minReadBytes),
      callback(count) {
        if (receiver !== undefined) memory.lend(receiver, count);
        return true;
      },
    },
    deliverTo(receive) {
      receiver = receive;
    },
  };
}
