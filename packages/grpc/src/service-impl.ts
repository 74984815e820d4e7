import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { CallContext } from "./context.ts";

type Awaitable<T> = T | Promise<T>;

type MethodImplByKind<I extends DescMessage, O extends DescMessage> = {
  unary: (request: MessageShape<I>, context: CallContext) => Awaitable<MessageInitShape<O>>;
  server_streaming: (request: MessageShape<I>, context: CallContext) => AsyncIterable<MessageInitShape<O>>;
  client_streaming: (requests: AsyncIterable<MessageShape<I>>, context: CallContext) => Awaitable<MessageInitShape<O>>;
  bidi_streaming: (
    requests: AsyncIterable<MessageShape<I>>,
    context: CallContext,
  ) => AsyncIterable<MessageInitShape<O>>;
};

/** Implementation of a method, by the kind of the RPC. */
export type MethodImpl<M extends DescMethod> = MethodImplByKind<M["input"], M["output"]>[M["methodKind"]];

/** Handlers by protobuf-es local name; a missing one answers UNIMPLEMENTED. */
export type ServiceImpl<S extends DescService> = {
  readonly [P in keyof S["method"]]?: MethodImpl<S["method"][P]>;
};
