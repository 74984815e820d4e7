import { create, toBinary, type DescMessage, type DescMethod, type MessageInitShape } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import type { CallContext, RawHandler } from "../context.ts";
import { methodInfo, type MethodInfo } from "../method.ts";
import { encodeMessage } from "./encode-message.ts";
import { checkFieldCount } from "./field-count.ts";
import type { MessageQueue } from "./message-queue.ts";
import { decodeMessage } from "./method-codec.ts";
import type { ServerCall } from "./server-call.ts";

/** Serves a call up to, but without, its status. */
export interface Route {
  readonly method: MethodInfo;
  run(call: ServerCall): Promise<void> | void;
}

type Init = MessageInitShape<DescMessage>;
type Handler = (request: unknown, context: CallContext) => unknown;

/** One route per kind of method; `handler` is the service's own function, typed by its descriptor until here. */
const runners: Readonly<Record<DescMethod["methodKind"], (method: DescMethod, handler: Handler) => Route["run"]>> = {
  unary: (method, handler) => async (call) => {
    const request = await only(call.read(decoder(method.input, call.maxFields)), call);
    call.setReply(encode(method.output, (await handler(request, call)) as Init));
  },
  client_streaming: (method, handler) => async (call) => {
    const requests = call.read(decoder(method.input, call.maxFields));
    call.setReply(encode(method.output, (await handler(requests, call)) as Init));
  },
  server_streaming: (method, handler) => async (call) => {
    const request = await only(call.read(decoder(method.input, call.maxFields)), call);
    await sendAll(handler(request, call) as AsyncIterable<Init>, method.output, call);
  },
  bidi_streaming: (method, handler) => async (call) => {
    const requests = call.read(decoder(method.input, call.maxFields));
    await sendAll(handler(requests, call) as AsyncIterable<Init>, method.output, call);
  },
};

export function routeOf(method: DescMethod, handler: Handler): Route {
  return { method: methodInfo(method), run: runners[method.methodKind](method, handler) };
}

export function rawRoute(method: MethodInfo, handler: RawHandler): Route {
  return { method, run: (call) => handler(call) };
}

function decoder(schema: DescMessage, maxFields: number): (payload: Uint8Array) => unknown {
  return (payload) => {
    // A message has at least two bytes per field.
    if (payload.length > 2 * maxFields) checkFieldCount(schema, payload, maxFields);
    return decodeMessage(schema, payload);
  };
}

function encode(schema: DescMessage, init: Init): Uint8Array {
  return toBinary(schema, create(schema, init));
}

/** The single message of a unary request, once the caller has finished sending. */
async function only(queue: MessageQueue<unknown>, call: ServerCall): Promise<unknown> {
  const first = await queue.next();
  const second = first.done === true ? first : await queue.next();
  if (first.done !== true && second.done === true) return first.value;
  throw new OsError({
    kind: "unimplemented",
    code: "grpc/cardinality",
    message: `Expected exactly one request message for ${call.method.path}, got ${first.done === true ? "none" : "more"}`,
  });
}

/**
 * Pulls the next response only when there is room for it, and lets go of the producer when the caller is gone. A producer that is
 * asked for the next response may use the memory of the last one again.
 */
async function sendAll(responses: AsyncIterable<Init>, schema: DescMessage, call: ServerCall): Promise<void> {
  const iterator = responses[Symbol.asyncIterator]();
  let giveUp: ((error: OsError) => void) | undefined;
  call.onCancel((error) => giveUp?.(error));
  try {
    for (;;) {
      // A race against one long-lived promise would keep every step of a long stream alive.
      const result = await new Promise<IteratorResult<Init>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (result.done === true) return;
      const { head, tail } = encodeMessage(schema, result.value);
      const wait = call.write(head, tail);
      if (wait !== undefined) await wait;
    }
  } catch (err) {
    // A generator that waits inside ends when its wait does; nobody may wait for that here.
    void Promise.resolve(iterator.return?.()).catch(() => {});
    throw err;
  }
}
