import { OsError } from "@talos-ts/base";
import { Field } from "@talos-ts/http2";
import type { Channel } from "./channel.ts";
import type { CallContext, RawHandler, RawServerCall } from "./context.ts";
import { ClientStream } from "./internal/client-stream.ts";
import { addReceived } from "./internal/headers.ts";
import { ServerCall } from "./internal/server-call.ts";
import { emptyPatch, type MetadataPatch } from "./metadata-patch.ts";
import { Metadata, type MetadataInit } from "./metadata.ts";

/** Route of a call: forwarded as it is to another server, or served by a handler (for one call to many servers). */
export type ProxyRoute =
  | {
      readonly channel: Channel;
      /** Sent instead of the caller's metadata. @default the caller's, with the changes of `patch` */
      readonly metadata?: MetadataInit;
      /** Changes to the caller's metadata. @default none */
      readonly patch?: MetadataPatch;
      /** @default the path called */
      readonly path?: string;
      readonly waitForReady?: boolean;
      /** Told how the other server ended the call. */
      readonly onEnd?: (error: OsError | undefined) => void;
    }
  | { readonly handler: RawHandler };

/** Decides per call; what it throws is the status of the call. */
export type Director = (context: CallContext) => ProxyRoute | Promise<ProxyRoute>;

const headerFields = new Set(["content-type", "grpc-encoding", "grpc-accept-encoding"]);
const trailerFields = new Set(["grpc-status", "grpc-message", "grpc-status-details-bin"]);

/**
 * Forwards any method byte by byte.
 *
 * Neither side is read faster than the other takes; deadline, cancellation, header, trailers and status pass through.
 */
export function createProxyHandler(director: Director): RawHandler {
  return (call) => {
    const route = director(call);
    return route instanceof Promise ? route.then((found) => follow(call, found)) : follow(call, route);
  };
}

function follow(call: RawServerCall, route: ProxyRoute): Promise<void> | void {
  return "handler" in route ? route.handler(call) : forwardCall(call, route);
}

const okField = new Field(":status", "200");

/** Route of a call that is forwarded. */
export type ChannelRoute = Extract<ProxyRoute, { readonly channel: Channel }>;

/**
 * Forwards one call byte by byte, as `createProxyHandler` does; settles when it is over. The request is passed on in the same turn
 * of the event loop in which it arrived, so call it before anything is awaited.
 */
export function forwardCall(call: RawServerCall, route: ChannelRoute): Promise<void> {
  if (!(call instanceof ServerCall)) {
    throw new OsError({
      kind: "internal",
      message: "Cannot proxy a call that did not come from a server of this package",
    });
  }
  return new Promise((resolve, reject) => {
    const request = call.flow;
    let headed = false;
    const upstream = new ClientStream({
      channel: route.channel,
      path: route.path ?? call.method.path,
      ...(route.metadata === undefined
        ? { metadata: undefined, fields: (route.patch ?? emptyPatch).apply(call.fields) }
        : { metadata: asMetadata(route.metadata) }),
      timeoutMs: call.deadlineMs === undefined ? undefined : Math.max(1, call.deadlineMs - Date.now()),
      endedByCreator: true,
      signal: undefined,
      waitForReady: route.waitForReady ?? false,
      sink: {
        header(received) {
          const fields = [okField];
          addReceived(fields, received, headerFields);
          call.respond(fields);
          headed = true;
        },
        data(chunk) {
          if (!call.writeRaw(chunk)) upstream.pause();
        },
        drain: () => request.resume(),
        end(error, received) {
          route.onEnd?.(error);
          if (received.length === 0 || (!headed && error === undefined)) {
            if (error === undefined) resolve();
            else reject(error);
            return;
          }
          const trailers: Field[] = [];
          addReceived(trailers, received, trailerFields);
          call.finishRaw(trailers);
          resolve();
        },
      },
    });
    call.onCancel((error) => upstream.cancel(error));
    call.onDrain(() => upstream.resume());
    call.readRaw({
      data(chunk) {
        if (!upstream.write(chunk)) request.pause();
      },
      end: () => upstream.closeSend(),
    });
  });
}

function asMetadata(init: MetadataInit): Metadata {
  return init instanceof Metadata ? init : new Metadata(init);
}
