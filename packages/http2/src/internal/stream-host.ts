import type { OutBuffer } from "../frame/out-buffer.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { HeaderWriter } from "./header-writer.ts";
import type { PeerSettings } from "./peer-settings.ts";
import type { ReceiveWindow } from "./receive-window.ts";
import type { SendQueue } from "./send-queue.ts";
import type { StreamHost } from "./stream-state.ts";

/** Parts of a connection that its streams reach through their host. */
export interface StreamHostOptions extends Pick<StreamHost, "now" | "retire" | "retired" | "ended"> {
  readonly out: OutBuffer;
  readonly peer: Pick<PeerSettings, "maxFrameBytes">;
  readonly headers: HeaderWriter;
  readonly guard: FloodGuard;
  readonly queue: SendQueue;
  readonly window: ReceiveWindow;
  readonly closed: () => boolean;
  /** See `StreamHost.windowBytes`. */
  readonly windowBytes: () => number;
  /** Tells the transport that there is output. */
  readonly announce: () => void;
}

const empty = new Uint8Array(0);

/** Creates what the streams of a connection write to and take their room from. */
export function createStreamHost(options: StreamHostOptions): StreamHost {
  const { out, peer, headers, guard, queue, window, closed, windowBytes, announce, now, retire, retired, ended } =
    options;
  return {
    get sendRoom() {
      return queue.room;
    },
    get maxFrameBytes() {
      return peer.maxFrameBytes;
    },
    get windowBytes() {
      return windowBytes();
    },
    now,
    writeHeaders: (streamId, fields, endStream) => {
      headers.write(streamId, fields, endStream);
      announce();
    },
    writeData: (streamId, chunk, endStream, whole, borrowed) => {
      queue.window -= chunk.length;
      out.data(streamId, chunk, endStream, borrowed);
      // Data that one-byte windows cut to pieces earns the peer no further window updates.
      if (whole) guard.earn();
      announce();
    },
    writeEnd: (streamId) => {
      if (!out.endLast(streamId)) out.data(streamId, empty, true);
      announce();
    },
    writeReset: (stream, code) => {
      if (stream.id === 0 || closed()) return;
      out.rstStream(stream.id, code);
      announce();
    },
    writeWindowUpdate: (streamId, bytes) => {
      if (closed()) return;
      out.windowUpdate(streamId, bytes);
      announce();
    },
    awaitRoom: (stream) => {
      queue.add(stream);
      announce();
    },
    queued: (bytes) => queue.count(bytes),
    buffered: (bytes) => {
      window.buffered(bytes);
      if (bytes > 0 || closed()) return;
      window.refill();
      announce();
    },
    retire,
    retired,
    ended,
  };
}
