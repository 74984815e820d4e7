import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { fileDesc, serviceDesc, type GenService } from "@bufbuild/protobuf/codegenv2";
import {
  anyPack,
  type BytesValueSchema,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import type { CallContext } from "../context.ts";
import type { ServiceImpl } from "../service-impl.ts";

type Bytes = typeof BytesValueSchema;

/** A service with one method of each kind over a well-known type, so that other stacks need no generated code for it. */
export type EchoService = GenService<{
  unary: { methodKind: "unary"; input: Bytes; output: Bytes };
  serverStream: { methodKind: "server_streaming"; input: Bytes; output: Bytes };
  clientStream: { methodKind: "client_streaming"; input: Bytes; output: Bytes };
  bidi: { methodKind: "bidi_streaming"; input: Bytes; output: Bytes };
  missing: { methodKind: "unary"; input: Bytes; output: Bytes };
}>;

const value = ".google.protobuf.BytesValue";
const file = create(FileDescriptorProtoSchema, {
  name: "interop/echo.proto",
  package: "interop",
  syntax: "proto3",
  dependency: ["google/protobuf/wrappers.proto"],
  messageType: [{ name: "Marker", field: [{ name: "text", number: 1, type: FieldDescriptorProto_Type.STRING }] }],
  service: [
    {
      name: "Echo",
      method: [
        { name: "Unary", inputType: value, outputType: value },
        { name: "ServerStream", inputType: value, outputType: value, serverStreaming: true },
        { name: "ClientStream", inputType: value, outputType: value, clientStreaming: true },
        { name: "Bidi", inputType: value, outputType: value, clientStreaming: true, serverStreaming: true },
        { name: "Missing", inputType: value, outputType: value },
      ],
    },
  ],
});

export const Echo = serviceDesc(
  fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, file)), [file_google_protobuf_wrappers]),
  0,
) as unknown as EchoService;

/** Answers with what it got: once ("wait" never), byte by byte, joined (until "enough"), or one by one. */
export const echo: ServiceImpl<EchoService> = {
  unary: ({ value }, context) => {
    reflectMetadata(context);
    if (text({ value }) === "wait") return waitForever(context);
    return { value };
  },
  async *serverStream({ value }, context) {
    reflectMetadata(context);
    for (const byte of value) yield { value: Uint8Array.of(byte) };
  },
  async clientStream(requests) {
    const parts: Uint8Array[] = [];
    for await (const { value } of requests) {
      if (text({ value }) === "enough") break;
      parts.push(value);
    }
    return { value: new Uint8Array(Buffer.concat(parts)) };
  },
  async *bidi(requests) {
    for await (const { value } of requests) yield { value };
  },
};

/** `echo-*` metadata comes back as header and as trailer; `fail` asks for a status with that text and a detail. */
function reflectMetadata(context: CallContext): void {
  for (const [key, value] of context.metadata) {
    if (!key.startsWith("echo-")) continue;
    context.responseHeader.append(key, value);
    context.responseTrailer.append(key, value);
  }
  const reason = context.metadata.get("fail");
  if (reason !== undefined) {
    const detail = anyPack(StringValueSchema, create(StringValueSchema, { value: "detail" }));
    const details = { grpcDetails: [detail] };
    throw new OsError({ kind: "failed-precondition", message: `${reason} ü%`, details });
  }
}

function waitForever({ signal }: CallContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

export function bytes(text: string): { value: Uint8Array } {
  return { value: new TextEncoder().encode(text) };
}

export function text(message: { readonly value: Uint8Array }): string {
  return new TextDecoder().decode(message.value);
}
