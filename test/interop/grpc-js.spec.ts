import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, BytesValueSchema, StringValueSchema, type BytesValue } from "@bufbuild/protobuf/wkt";
import * as grpcJs from "@grpc/grpc-js";
import { StatusSchema } from "@talos-ts/proto/google/rpc/status";
import { createChannel, createServer, type Channel } from "@talos-ts/grpc";
import { bytes, Echo, echo, text } from "@talos-ts/grpc/testing";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { converse } from "./conversation.ts";

const serialize = (value: BytesValue): Buffer => Buffer.from(toBinary(BytesValueSchema, value));
const deserialize = (buffer: Buffer): BytesValue => fromBinary(BytesValueSchema, buffer);
const message = (content: string): BytesValue => create(BytesValueSchema, bytes(content));

/** The echo service as grpc-js wants it described. */
const definition = Object.fromEntries(
  Echo.methods
    .filter((method) => method.localName !== "missing")
    .map((method) => [
      method.localName,
      {
        path: `/${Echo.typeName}/${method.name}`,
        requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
        responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
        requestSerialize: serialize,
        requestDeserialize: deserialize,
        responseSerialize: serialize,
        responseDeserialize: deserialize,
      },
    ]),
);

type Call = grpcJs.ServerUnaryCall<BytesValue, BytesValue>;

/** Does what the request asks for by its metadata: an echo of it, and perhaps a failure. */
function reflect(call: Pick<Call, "metadata" | "sendMetadata">): {
  readonly trailer: grpcJs.Metadata;
  readonly failure: Partial<grpcJs.StatusObject> | undefined;
} {
  const trailer = new grpcJs.Metadata();
  for (const key of Object.keys(call.metadata.getMap())) {
    if (key.startsWith("echo-")) for (const value of call.metadata.get(key)) trailer.add(key, value);
  }
  call.sendMetadata(trailer);
  const [reason] = call.metadata.get("fail");
  if (reason === undefined) return { trailer, failure: undefined };
  const detail = anyPack(StringValueSchema, create(StringValueSchema, { value: "detail" }));
  trailer.set(
    "grpc-status-details-bin",
    Buffer.from(toBinary(StatusSchema, create(StatusSchema, { code: 9, details: [detail] }))),
  );
  const failure = { code: grpcJs.status.FAILED_PRECONDITION, details: `${String(reason)} ü%`, metadata: trailer };
  return { trailer, failure };
}

const handlers: grpcJs.UntypedServiceImplementation = {
  unary(call: Call, answer: grpcJs.sendUnaryData<BytesValue>) {
    const { trailer, failure } = reflect(call);
    if (failure !== undefined) answer(failure);
    else if (text(call.request) !== "wait") answer(null, call.request, trailer);
  },
  serverStream(call: grpcJs.ServerWritableStream<BytesValue, BytesValue>) {
    for (const byte of call.request.value) call.write(create(BytesValueSchema, { value: Uint8Array.of(byte) }));
    call.end();
  },
  clientStream(call: grpcJs.ServerReadableStream<BytesValue, BytesValue>, answer: grpcJs.sendUnaryData<BytesValue>) {
    let joined = "";
    let answered = false;
    const reply = (): void => {
      if (!answered) answer(null, message(joined));
      answered = true;
    };
    call.on("data", (request: BytesValue) => {
      if (text(request) === "enough") reply();
      else joined += text(request);
    });
    call.on("end", reply);
  },
  bidi(call: grpcJs.ServerDuplexStream<BytesValue, BytesValue>) {
    call.on("data", (request: BytesValue) => call.write(request));
    call.on("end", () => call.end());
  },
};

describe("our client", () => {
  const stack = new AsyncDisposableStack();
  let channel: Channel | undefined;

  before(async () => {
    const server = new grpcJs.Server({ "grpc.max_receive_message_length": 32 << 20 });
    server.addService(definition, handlers);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpcJs.ServerCredentials.createInsecure(), (err, bound) =>
        err === null ? resolve(bound) : reject(err),
      );
    });
    stack.defer(() => server.forceShutdown());
    channel = stack.use(createChannel({ target: `127.0.0.1:${String(port)}` }));
  });
  after(() => stack.disposeAsync());

  converse("a grpc-js server", () => channel as Channel);
});

describe("a grpc-js client", () => {
  const stack = new AsyncDisposableStack();
  let client: grpcJs.Client;
  const methodOf = (name: string) => definition[name] as grpcJs.MethodDefinition<BytesValue, BytesValue>;

  before(async () => {
    const directory = stack.use(await temporaryDirectory());
    const server = stack.use(createServer({ graceMs: 0 }).addService(Echo, echo));
    const { address } = await server.listen({ unix: join(directory.path, "s") });
    client = new grpcJs.Client(address, grpcJs.credentials.createInsecure());
    stack.defer(() => client.close());
  });
  after(() => stack.disposeAsync());

  function unary(content: string, metadata = new grpcJs.Metadata(), options: grpcJs.CallOptions = {}) {
    const { path } = methodOf("unary");
    return new Promise<{ answer: string; trailer: grpcJs.Metadata }>((resolve, reject) => {
      let answer = "";
      client
        .makeUnaryRequest(path, serialize, deserialize, message(content), metadata, options, (err, value) => {
          if (err !== null) reject(err);
          else answer = text(value as BytesValue);
        })
        .on("status", (status) => resolve({ answer, trailer: status.metadata }));
    });
  }

  it("makes unary calls with metadata", async () => {
    const metadata = new grpcJs.Metadata();
    metadata.add("echo-text", "a");
    metadata.add("echo-data-bin", Buffer.of(0, 255));
    const { answer, trailer } = await unary("hello", metadata);
    assert.equal(answer, "hello");
    assert.deepEqual(trailer.get("echo-text"), ["a"]);
    assert.deepEqual(trailer.get("echo-data-bin"), [Buffer.of(0, 255)]);
  });

  it("learns status and details", async () => {
    const metadata = new grpcJs.Metadata();
    metadata.add("fail", "because");
    await assert.rejects(unary("", metadata), { code: 9, details: "because ü%" });
    await assert.rejects(unary("wait", undefined, { deadline: Date.now() + 50 }), { code: 4 });
  });

  it("streams both ways", async () => {
    const { path } = methodOf("bidi");
    const call = client.makeBidiStreamRequest(path, serialize, deserialize);
    const received: string[] = [];
    call.on("data", (value: BytesValue) => received.push(text(value)));
    const ended = new Promise((resolve) => call.on("end", resolve));
    for (const part of ["x", "y", "z"]) call.write(message(part));
    call.end();
    await ended;
    assert.deepEqual(received, ["x", "y", "z"]);
  });
});
