import { OsError } from "@talos-ts/base";
import type { Channel } from "../channel.ts";
import type { CallOptions } from "../client-call.ts";
import { openCall, type RawClientCall } from "../raw-call.ts";
import { wrongCount } from "./client-unary.ts";
import type { MethodCodec } from "./method-codec.ts";

type Responses = AsyncIterableIterator<unknown, undefined>;

/** One request that is known, or many that come. */
export type Requests = AsyncIterable<unknown> | { readonly single: unknown };

export function callStreaming(
  channel: Channel,
  codec: MethodCodec,
  requests: Requests,
  options: CallOptions,
): Responses {
  return start(channel, codec, requests, options).responses;
}

/** Like `callStreaming`; the call is made when `around` runs its argument, and ends the way `around` does. */
export function callAround(
  channel: Channel,
  codec: MethodCodec,
  requests: Requests,
  options: () => CallOptions,
  around: (run: () => Promise<void>) => Promise<void>,
): Responses {
  const opened = Promise.withResolvers<RawClientCall<unknown> | undefined>();
  const done = around(async () => {
    const call = start(channel, codec, requests, options());
    opened.resolve(call);
    const { error } = await call.status;
    if (error !== undefined) throw error;
  });
  const finished = done.then(
    () => undefined,
    (err: unknown) => ({ reason: err }),
  );
  void finished.then(() => opened.resolve(undefined));

  const over: IteratorResult<unknown, undefined> = { done: true, value: undefined };
  return {
    async next() {
      const call = await opened.promise;
      const result = await call?.responses.next().catch(() => over);
      if (result !== undefined && result.done !== true) return result;
      const failure = await finished;
      if (failure !== undefined) throw failure.reason;
      return over;
    },
    async return() {
      const call = await opened.promise;
      await call?.responses.return?.();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The single response of a client-streaming call. */
export async function onlyResponse(responses: Responses, path: string): Promise<unknown> {
  let response: unknown;
  let count = 0;
  for await (const each of responses) {
    response = each;
    count += 1;
  }
  if (count !== 1) throw wrongCount(path, count);
  return response;
}

function start(channel: Channel, codec: MethodCodec, requests: Requests, options: CallOptions): RawClientCall<unknown> {
  const call = openCall(channel, codec.path, options, codec.decode);
  if (Symbol.asyncIterator in requests) {
    void sendAll(requests, codec, call);
    return call;
  }
  try {
    call.closeSend(codec.encode(requests.single));
  } catch (err) {
    call.cancel(OsError.from(err));
  }
  return call;
}

/** Takes the next request only when there is room for it, and lets go of the producer when the call is over. */
async function sendAll(
  requests: AsyncIterable<unknown>,
  codec: MethodCodec,
  call: RawClientCall<unknown>,
): Promise<void> {
  const iterator = requests[Symbol.asyncIterator]();
  let stop: (() => void) | undefined;
  void call.status.then(() => stop?.());
  try {
    for (;;) {
      const result = await new Promise<IteratorResult<unknown> | undefined>((resolve, reject) => {
        stop = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (result === undefined) break;
      if (result.done === true) {
        call.closeSend();
        return;
      }
      await call.send(codec.encode(result.value));
    }
  } catch (err) {
    call.cancel(OsError.from(err));
  }
  void Promise.resolve(iterator.return?.()).catch(() => {});
}
