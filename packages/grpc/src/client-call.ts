import { Metadata, type MetadataInit } from "./metadata.ts";
import type { MethodInfo } from "./method.ts";

/** Settings of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly metadata?: MetadataInit;
  readonly timeoutMs?: number;
  /** Waits for a connection instead of failing when every target has failed. @default {false} */
  readonly waitForReady?: boolean;
  readonly onHeader?: (header: Metadata) => void;
  readonly onTrailer?: (trailer: Metadata) => void;
}

/** A call as client interceptors see it; metadata and timeout may be changed until `next` is called. */
export interface ClientCallContext {
  readonly method: MethodInfo;
  readonly metadata: Metadata;
  readonly signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  waitForReady: boolean;
  /** Filled when the server has answered. */
  responseHeader: Metadata | undefined;
  responseTrailer: Metadata | undefined;
}

/** Runs around a call: `next` makes it and settles with its status. A unary call may be made more than once. */
export type ClientInterceptor = (context: ClientCallContext, next: () => Promise<void>) => Promise<void>;

/** Runs `call` inside the interceptors, outermost first. */
export function runIntercepted(
  interceptors: readonly ClientInterceptor[],
  context: ClientCallContext,
  call: () => Promise<void>,
  index = 0,
): Promise<void> {
  const interceptor = interceptors[index];
  if (interceptor === undefined) return call();
  return interceptor(context, () => runIntercepted(interceptors, context, call, index + 1));
}

export function contextOf(method: MethodInfo, options: CallOptions): ClientCallContext {
  return {
    method,
    metadata: new Metadata(options.metadata),
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    waitForReady: options.waitForReady ?? false,
    responseHeader: undefined,
    responseTrailer: undefined,
  };
}

/** The options of the call that the interceptors have left, noting the answer in the context. */
export function optionsOf(context: ClientCallContext, given: CallOptions): CallOptions {
  return {
    metadata: context.metadata,
    waitForReady: context.waitForReady,
    ...(context.signal !== undefined && { signal: context.signal }),
    ...(context.timeoutMs !== undefined && { timeoutMs: context.timeoutMs }),
    onHeader(header) {
      context.responseHeader = header;
      given.onHeader?.(header);
    },
    onTrailer(trailer) {
      context.responseTrailer = trailer;
      given.onTrailer?.(trailer);
    },
  };
}
