import { OsError } from "@talos-ts/base";
import { Field } from "@talos-ts/http2";
import type { Channel } from "./channel.ts";
import type { CallContext, RawHandler } from "./context.ts";
import { ClientStream } from "./internal/client-stream.ts";
import { addReceived } from "./internal/headers.ts";
import { ServerCall } from "./internal/server-call.ts";
import { Metadata, type MetadataInit } from "./metadata.ts";

/** Route of a call: forwarded as it is to another server, or served by a handler (for one call to many servers). */
export type ProxyRoute =
  | {
      readonly channel: Channel;
      /** Sent instead of the caller's metadata. @default the caller's */
      readonly metadata?: MetadataInit;
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
  return async (call) => {
    if (!(call instanceof ServerCall)) {
      throw new OsError({
        kind: "internal",
        message: "Cannot proxy a call that did not come from a server of this package",
      });
    }
    const route = await director(call);
    if ("handler" in route) await route.handler(call);
    else await forward(call, route);
  };
}

const okField = new Field(":status", "200");

type ChannelRoute = Extract<ProxyRoute, { readonly channel: Channel }>;

function forward(call: ServerCall, route: ChannelRoute): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = call.flow;
    let headed = false;
    const upstream = new ClientStream({
      channel: route.channel,
      path: route.path ?? call.method.path,
      metadata: route.metadata === undefined ? call.metadata : asMetadata(route.metadata),
      timeoutMs: call.deadlineMs === undefined ? undefined : Math.max(1, call.deadlineMs - Date.now()),
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
      end: () => upstream.end(),
    });
  });
}

function asMetadata(init: MetadataInit): Metadata {
  return init instanceof Metadata ? init : new Metadata(init);
}
