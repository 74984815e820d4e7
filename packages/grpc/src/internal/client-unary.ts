import { OsError } from "@talos-ts/base";
import type { Channel } from "../channel.ts";
import type { CallOptions } from "../client-call.ts";
import { Metadata } from "../metadata.ts";
import { checkedFrame } from "../raw-call.ts";
import { statusError } from "../status.ts";
import { ClientStream } from "./client-stream.ts";
import { Deframer } from "./frame.ts";
import { metadataOf } from "./headers.ts";
import type { MethodCodec } from "./method-codec.ts";

/** One message there, one back; without a queue between, because most calls are these. */
export function callUnary(
  channel: Channel,
  codec: MethodCodec,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const frame = checkedFrame(channel, codec.encode(request));
    const deframer = new Deframer(channel.limits.maxReceiveBytes);
    let response: Uint8Array | undefined;
    let count = 0;
    const accept = (payload: Uint8Array): void => {
      response = payload;
      count += 1;
    };
    const { metadata, onHeader, onTrailer } = options;
    const stream = new ClientStream({
      channel,
      path: codec.path,
      metadata: metadata === undefined || metadata instanceof Metadata ? metadata : new Metadata(metadata),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      waitForReady: options.waitForReady ?? false,
      sink: {
        header(fields) {
          onHeader?.(metadataOf(fields));
        },
        data(chunk) {
          deframer.push(chunk, accept);
        },
        drain() {},
        end(error, trailers) {
          onTrailer?.(metadataOf(trailers));
          if (error !== undefined) reject(error);
          else if (response === undefined || count !== 1 || deframer.partial) reject(wrongCount(codec.path, count));
          else {
            try {
              resolve(codec.decode(response));
            } catch (err) {
              reject(OsError.from(err));
            }
          }
        },
      },
    });
    stream.closeSend(frame);
  });
}

export function wrongCount(path: string, count: number): OsError {
  return statusError("internal", `Expected exactly one response message from ${path}, got ${String(count)}`);
}
