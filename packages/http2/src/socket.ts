import type { Socket } from "node:net";
import type { ConnectionOptions } from "./connection-contract.ts";
import { Http2Connection } from "./connection.ts";
import type { Field } from "./field.ts";
import { atEndOfTurn } from "./internal/flush-turn.ts";
import { createSocketWriter } from "./internal/socket-writer.ts";
import type { ReadBuffers } from "./read-buffers.ts";
import type { Http2Stream } from "./stream.ts";

/** Settings of a connection on a socket. */
export interface SocketOptions extends Omit<ConnectionOptions, "referenceFrom"> {
  /** The buffers whose `onread` the socket was made with; without it the socket's `data` events are read. */
  readonly buffers?: ReadBuffers;
}

/** Receiver of what happens on a connection with its socket. */
export interface SocketEvents {
  request?(stream: Http2Stream, fields: readonly Field[]): void;
  /** The peer's first SETTINGS arrived. */
  ready?(): void;
  /** The peer will open or take no more streams. */
  goaway?(code: number): void;
  /** The connection is over; the error says why unless it ended in order. The socket may still write its last bytes. */
  end?(error: Error | undefined): void;
  /** The socket is closed. */
  close?(): void;
}

/** A connection and the socket it runs on. */
export interface AttachedConnection {
  readonly connection: Http2Connection;
  readonly socket: Socket;
}

/** Payloads from this size on go to a plain socket without a copy. */
const referenceFromBytes = 8192;
/** Longest time that an acknowledgement of PING is held, in ms; see `HeldAcks`. Clients written in Go ping with nearly every call. */
const ackDelayMs = 5;
/** Time for the last bytes of a connection that is over, in ms. */
const lingerMs = 1000;

/** The connection whose bytes are being handled; a process has one at a time. */
let reading: Http2Connection | undefined;

/**
 * Runs a connection on a socket (TCP, unix or TLS).
 *
 * Everything written during one turn of the event loop leaves in one write, except the end of a call that is alone: that one leaves
 * before the call is cleared away. Every byte received is read at once: the windows of HTTP/2 hold the peer back, and the limits
 * bound what it may send besides.
 */
export function attachSocket(socket: Socket, options: SocketOptions, events: SocketEvents): AttachedConnection {
  const isTls = "encrypted" in socket;
  let scheduled = false;
  let mayFlushEarly = false;
  let socketError: Error | undefined;

  const writer = createSocketWriter(socket, () => connection.setBlocked(false));
  const writeOutput = (): void => {
    // What streams add while the output is taken comes behind it, with the next write.
    mayFlushEarly = false;
    if (connection.closed) return;
    writer.write(connection.takeOutput());
    if (writer.full) connection.setBlocked(true);
  };
  const flush = (): void => {
    scheduled = false;
    writeOutput();
    mayFlushEarly = true;
  };
  /** Once in a turn, and not while more is read, by this connection or one that is forwarded to it: what follows shares a write. */
  const flushEarly = (): void => {
    if (mayFlushEarly && reading?.moreFollows !== true) writeOutput();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    atEndOfTurn(flush);
  };

  let ackTimer: NodeJS.Timeout | undefined;
  const ackLater = (): void => {
    // Not cleared when the output leaves earlier: one timer in 5 ms costs less than one for each call.
    ackTimer ??= setTimeout(() => {
      ackTimer = undefined;
      connection.releaseAcks();
    }, ackDelayMs).unref();
  };

  /**
   * Requests that came behind resets in the same bytes. They start when handlers of the calls that were reset have seen it and let
   * go of what they held, as they would have if the bytes had come one by one.
   */
  let deferred: { readonly stream: Http2Stream; readonly fields: readonly Field[] }[] = [];
  let resetsHandled = 0;
  const serveDeferred = (): void => {
    const due = deferred;
    deferred = [];
    resetsHandled = connection.resetsReceived;
    for (const { stream, fields } of due) if (!stream.closed) events.request?.(stream, fields);
  };

  const connection = new Http2Connection(
    { ...options, referenceFrom: isTls ? Number.POSITIVE_INFINITY : referenceFromBytes },
    {
      output: schedule,
      complete: flushEarly,
      ack: ackLater,
      request(stream, fields) {
        const isFirst = deferred.length === 0;
        if (isFirst && connection.resetsReceived === resetsHandled) {
          events.request?.(stream, fields);
          return;
        }
        deferred.push({ stream, fields });
        // A tick that is asked for by a microtask runs when no microtask is left.
        if (isFirst) queueMicrotask(() => process.nextTick(serveDeferred));
      },
      ready: () => events.ready?.(),
      goaway: (code) => events.goaway?.(code),
      end(error) {
        clearInterval(timer);
        clearTimeout(ackTimer);
        // A peer that is cut off gets no more attention, whatever it still sends.
        if (error !== undefined) socket.pause();
        const rest = connection.takeOutput();
        const linger = setTimeout(() => socket.destroy(), lingerMs);
        socket.once("close", () => clearTimeout(linger));
        writer.finish(rest);
        events.end?.(error);
      },
    },
  );
  const { handshakeTimeoutMs, stallTimeoutMs } = connection.limits;
  const periodMs = Math.max(10, Math.min(5000, handshakeTimeoutMs / 2, stallTimeoutMs / 2));
  const timer = setInterval(() => connection.tick(), periodMs);
  timer.unref();

  const receive = (chunk: Buffer): void => {
    reading = connection;
    try {
      connection.receive(chunk);
    } finally {
      reading = undefined;
    }
  };
  if (options.buffers === undefined) socket.on("data", receive);
  else options.buffers.deliverTo(receive);
  socket.on("error", (err: Error) => {
    socketError ??= err;
    // A TLS alert after the handshake leaves the socket open otherwise.
    socket.destroy();
  });
  socket.once("close", () => {
    connection.lost(socketError);
    events.close?.();
  });
  schedule();
  return { connection, socket };
}
