import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Channel } from "./channel.ts";
import { contextOf, optionsOf, runIntercepted, type CallOptions, type ClientInterceptor } from "./client-call.ts";
import { callAround, callStreaming, onlyResponse, type Requests } from "./internal/client-streaming.ts";
import { callUnary } from "./internal/client-unary.ts";
import { methodCodec } from "./internal/method-codec.ts";
import { Metadata, type MetadataInit } from "./metadata.ts";
import { methodInfo } from "./method.ts";

type ClientMethodByKind<I extends DescMessage, O extends DescMessage> = {
  unary: (request: MessageInitShape<I>, options?: CallOptions) => Promise<MessageShape<O>>;
  server_streaming: (
    request: MessageInitShape<I>,
    options?: CallOptions,
  ) => AsyncIterableIterator<MessageShape<O>, undefined>;
  client_streaming: (requests: AsyncIterable<MessageInitShape<I>>, options?: CallOptions) => Promise<MessageShape<O>>;
  bidi_streaming: (
    requests: AsyncIterable<MessageInitShape<I>>,
    options?: CallOptions,
  ) => AsyncIterableIterator<MessageShape<O>, undefined>;
};

/** A method of a client, by the kind of the RPC. */
export type ClientMethod<M extends DescMethod> = ClientMethodByKind<M["input"], M["output"]>[M["methodKind"]];

/** One function per method, by protobuf-es local name. */
export type Client<S extends DescService> = { readonly [P in keyof S["method"]]: ClientMethod<S["method"][P]> };

/** Settings that apply to every call of a client. */
export interface ClientOptions {
  /** Outermost first. */
  readonly interceptors?: readonly ClientInterceptor[];
  /** Sent with every call; a function is asked at each. */
  readonly metadata?: MetadataInit | (() => MetadataInit);
}

/** Creates a typed client of a service on a channel; calls connect on demand. */
export function createClient<S extends DescService>(
  service: S,
  channel: Channel,
  options: ClientOptions = {},
): Client<S> {
  const methods = service.methods.map((method) => [method.localName, methodOf(method, channel, options)] as const);
  return Object.fromEntries(methods) as unknown as Client<S>;
}

function methodOf(method: DescMethod, channel: Channel, options: ClientOptions): unknown {
  const info = methodInfo(method);
  const codec = methodCodec(method);
  const interceptors = options.interceptors ?? [];

  /** Options of a call with the client's own metadata in them. */
  const complete = (given: CallOptions = {}): CallOptions => {
    if (options.metadata === undefined) return given;
    const own = new Metadata(typeof options.metadata === "function" ? options.metadata() : options.metadata);
    return { ...given, metadata: given.metadata === undefined ? own : own.merge(given.metadata) };
  };

  const unary = async (request: unknown, given?: CallOptions): Promise<unknown> => {
    const call = complete(given);
    if (interceptors.length === 0) return callUnary(channel, codec, request, call);
    const context = contextOf(info, call);
    let response: unknown;
    await runIntercepted(interceptors, context, async () => {
      response = await callUnary(channel, codec, request, optionsOf(context, call));
    });
    return response;
  };

  const streaming = (requests: Requests, given?: CallOptions): AsyncIterableIterator<unknown, undefined> => {
    const call = complete(given);
    if (interceptors.length === 0) return callStreaming(channel, codec, requests, call);
    const context = contextOf(info, call);
    const around = (run: () => Promise<void>): Promise<void> => runIntercepted(interceptors, context, run);
    return callAround(channel, codec, requests, () => optionsOf(context, call), around);
  };

  const byKind: Readonly<Record<DescMethod["methodKind"], unknown>> = {
    unary,
    server_streaming: (request: unknown, given?: CallOptions) => streaming({ single: request }, given),
    client_streaming: (requests: AsyncIterable<unknown>, given?: CallOptions) =>
      onlyResponse(streaming(requests, given), info.path),
    bidi_streaming: streaming,
  };
  return byKind[method.methodKind];
}
