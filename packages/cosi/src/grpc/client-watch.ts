import type { MessageInitShape } from "@bufbuild/protobuf";
import { createBackoff, OsError, type Backoff, type BackoffOptions, type Clock, type ErrorKind } from "@talos-ts/base";
import type { Client } from "@talos-ts/grpc";
import type { State as StateService, WatchOptionsSchema, WatchResponse } from "@talos-ts/proto/cosi/resource";
import type { Kind } from "../resource.ts";
import type { Event, Watch } from "../state.ts";
import { namedError } from "./client-errors.ts";
import { decodeEvent } from "./wire-event.ts";
import type { WireCodec } from "./wire-resource.ts";

/** The parts of a watch request that a client fills in. */
interface WatchInit {
  readonly namespace: string;
  readonly type: string;
  readonly id?: string;
  readonly options: Omit<MessageInitShape<typeof WatchOptionsSchema>, "$typeName">;
  readonly apiVersion: number;
}

export interface ClientWatchInit {
  readonly client: Client<typeof StateService>;
  readonly codec: WireCodec;
  readonly kind: Kind;
  readonly request: WatchInit;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** Intervals at which a lost connection is made again; `false` gives up at once. */
  readonly retry: BackoffOptions | false;
  /** Time to keep trying. */
  readonly retryForMs: number;
}

/** Failures after which trying again cannot help. */
const final: ReadonlySet<ErrorKind> = new Set([
  "permission-denied",
  "unauthenticated",
  "unimplemented",
  "failed-precondition",
  "invalid-argument",
  "resource-exhausted",
  "not-found",
]);

/**
 * A watch at the far end of a connection. Once an event has carried a bookmark a lost connection is not the end: the
 * watch goes on from there, and only says so when that is no longer possible.
 */
export async function openClientWatch(init: ClientWatchInit): Promise<Watch> {
  const { client, codec, kind, clock, signal } = init;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const backoff = init.retry === false ? undefined : createBackoff(init.retry);
  let bookmark: Uint8Array | undefined;

  /** Resolves once the server has said that nothing is missed from here on. */
  async function open(request: WatchInit): Promise<AsyncIterator<WatchResponse, undefined>> {
    const stream = client.watch(request, { signal: ended });
    try {
      const first = await stream.next();
      if (first.done !== true) return stream;
    } catch (err) {
      signal?.throwIfAborted();
      throw namedError("watch", kind, err);
    }
    throw endedByServer();
  }

  let stream = await open(init.request);

  async function reopen(cause: unknown, retries: Backoff, from: Uint8Array): Promise<void> {
    const giveUpAt = clock.monotonic() + init.retryForMs;
    let failure = cause;
    while (!final.has(OsError.from(failure).kind) && clock.monotonic() < giveUpAt) {
      await clock.sleep(retries.next(), ended);
      try {
        stream = await open({
          ...init.request,
          options: { ...init.request.options, ...resume, startFromBookmark: from },
        });
        return;
      } catch (err) {
        failure = err;
      }
    }
    throw failure;
  }

  async function nextMessage(): Promise<WatchResponse> {
    const message = await stream.next();
    if (message.done === true) throw endedByServer();
    return message.value;
  }

  async function* batches(): AsyncGenerator<readonly Event[], void> {
    try {
      while (!ended.aborted) {
        let message: WatchResponse;
        try {
          message = await nextMessage();
        } catch (err) {
          if (ended.aborted) return;
          if (backoff === undefined || bookmark === undefined) throw namedError("watch", kind, err);
          await reopen(err, backoff, bookmark);
          continue;
        }
        backoff?.reset();
        const events = message.event.map((event) => decodeEvent(codec, kind, event));
        const last = events.at(-1);
        if (last !== undefined) ({ bookmark } = last);
        if (events.length > 0) yield events;
      }
    } catch (err) {
      // Ending a watch is no failure of it.
      if (!ended.aborted) throw err;
    } finally {
      stop.abort();
    }
  }

  const iterator = batches();
  return {
    [Symbol.asyncIterator]: () => iterator,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await iterator.return(undefined);
    },
  };
}

const resume = { bootstrapContents: false, bootstrapBookmark: false, tailEvents: 0 };

function endedByServer(): OsError {
  return new OsError({ kind: "unavailable", code: "cosi/watch-ended", message: "The server ended the watch" });
}
