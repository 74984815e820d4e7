import { OsError } from "@talos-ts/base";
import { Field } from "@talos-ts/http2";
import type { Channel } from "./channel.ts";
import type { RawServerCall } from "./context.ts";
import { ClientStream } from "./internal/client-stream.ts";
import { addReceived } from "./internal/headers.ts";
import { ServerCall } from "./internal/server-call.ts";
import { emptyPatch, type MetadataPatch } from "./metadata-patch.ts";
import { Metadata, type MetadataInit } from "./metadata.ts";

/** Target of a forwarded call, and changes of its metadata. */
export interface ForwardRoute {
  readonly channel: Channel;
  /** Sent instead of the caller's metadata. @default the caller's, with the changes of `patch` */
  readonly metadata?: MetadataInit;
  /** Changes to the caller's metadata. @default none */
  readonly patch?: MetadataPatch;
  /** Told how the other server ended the call. */
  readonly onEnd?: (error: OsError | undefined) => void;
}

const headerFields = new Set(["content-type", "grpc-encoding", "grpc-accept-encoding"]);
const trailerFields = new Set(["grpc-status", "grpc-message", "grpc-status-details-bin"]);

const okField = new Field(":status", "200");

/**
 * Forwards a call of any method byte by byte; settles when it is over.
 *
 * Neither side is read faster than the other takes; deadline, cancellation, header, trailers and status pass through. A request
 * that is here already is passed on as it lies when this is called before anything is awaited.
 */
export function forwardCall(call: RawServerCall, route: ForwardRoute): Promise<void> {
  if (!(call instanceof ServerCall)) {
    throw new OsError({
      kind: "internal",
      message: "Cannot proxy a call that did not come from a server of this package",
    });
  }
  return new Promise((resolve, reject) => {
    const request = call.flow;
    const { metadata, patch = emptyPatch } = route;
    let headed = false;
    const upstream = new ClientStream({
      channel: route.channel,
      path: call.method.path,
      metadata: metadata === undefined ? undefined : asMetadata(metadata),
      fields: metadata === undefined ? patch.apply(call.fields) : undefined,
      timeoutMs: call.deadlineMs === undefined ? undefined : Math.max(1, call.deadlineMs - Date.now()),
      endedByCreator: true,
      signal: undefined,
      waitForReady: false,
      sink: {
        borrows: true,
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
