import { OsError } from "@talos-ts/base";
import type { Channel } from "./channel.ts";
import type { CallOptions } from "./client-call.ts";
import { ClientStream } from "./internal/client-stream.ts";
import { encodeFrame } from "./internal/frame.ts";
import { metadataOf } from "./internal/headers.ts";
import { MessageQueue } from "./internal/message-queue.ts";
import { Metadata } from "./metadata.ts";
import { statusError } from "./status.ts";

/** Status and trailers of a call. */
export interface CallStatus {
  /** `undefined` for OK. */
  readonly error: OsError | undefined;
  readonly trailer: Metadata;
}

/** A call whose messages are bytes, for callers that forward rather than understand. */
export interface RawClientCall<T = Uint8Array> {
  /** Sends one request message; resolves when there is room for the next. */
  send(message: Uint8Array): Promise<void>;
  /** Ends the requests, after one last message if given. */
  closeSend(message?: Uint8Array): void;
  /** Response messages for one consumer; ends with the error of the status. Stopping early cancels the call. */
  readonly responses: AsyncIterableIterator<T, undefined>;
  /** Settles once, after the last message has arrived; never rejects. */
  readonly status: Promise<CallStatus>;
  cancel(error?: OsError): void;
}

/** Starts a call on any method without knowing its messages. */
export function openRawCall(channel: Channel, path: string, options: CallOptions = {}): RawClientCall {
  return openCall(channel, path, options, (payload) => payload);
}

/** Like `openRawCall`, with responses decoded as they are taken. */
export function openCall<T>(
  channel: Channel,
  path: string,
  options: CallOptions,
  decode: (payload: Uint8Array) => T,
): RawClientCall<T> {
  const status = Promise.withResolvers<CallStatus>();
  let room: PromiseWithResolvers<void> | undefined;
  let over: CallStatus | undefined;

  const makeRoom = (): void => {
    room?.resolve();
    room = undefined;
  };
  const stream = new ClientStream({
    channel,
    path,
    metadata: options.metadata === undefined ? undefined : asMetadata(options.metadata),
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    waitForReady: options.waitForReady ?? false,
    sink: {
      borrows: true,
      header: (fields) => options.onHeader?.(metadataOf(fields)),
      data: (chunk) => responses.push(chunk),
      drain: makeRoom,
      end(error, trailers) {
        over = { error, trailer: metadataOf(trailers) };
        options.onTrailer?.(over.trailer);
        // What the server sent is delivered before its error; what the caller gave up is not.
        if (trailers.length === 0 && error !== undefined) responses.fail(error);
        else responses.end(error);
        makeRoom();
        status.resolve(over);
      },
    },
  });
  const cancel = (error?: OsError): void => stream.cancel(error ?? statusError("cancelled", `${path} was cancelled`));
  const responses = new MessageQueue<T>({
    flow: stream,
    maxBytes: channel.limits.maxReceiveBytes,
    decode,
    onReturn: () => cancel(),
  });

  return {
    responses,
    status: status.promise,
    cancel,
    async send(message) {
      if (over !== undefined) throw over.error ?? statusError("cancelled", `${path} is over`);
      if (stream.write(checkedFrame(channel, message))) return;
      room ??= Promise.withResolvers<void>();
      await room.promise;
    },
    closeSend(message) {
      stream.closeSend(message === undefined ? undefined : checkedFrame(channel, message));
    },
  };
}

/** @throws {OsError} `grpc/message-too-large`. */
export function checkedFrame(channel: Channel, message: Uint8Array): Buffer {
  const { maxSendBytes } = channel.limits;
  if (message.length <= maxSendBytes) return encodeFrame(message);
  throw new OsError({
    kind: "resource-exhausted",
    code: "grpc/message-too-large",
    message: `Cannot send a message of ${String(message.length)} bytes: the limit is ${String(maxSendBytes)}`,
  });
}

function asMetadata(init: NonNullable<CallOptions["metadata"]>): Metadata {
  return init instanceof Metadata ? init : new Metadata(init);
}
