import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { fileDesc, serviceDesc, type GenService } from "@bufbuild/protobuf/codegenv2";
import {
  type BytesValueSchema,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
} from "@bufbuild/protobuf/wkt";
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

/** Answers with what it got: once, byte by byte, joined, or one by one. */
export const echo: ServiceImpl<EchoService> = {
  unary: ({ value }, context) => {
    reflectMetadata(context);
    return { value };
  },
  async *serverStream({ value }, context) {
    reflectMetadata(context);
    for (const byte of value) yield { value: Uint8Array.of(byte) };
  },
  async clientStream(requests) {
    const parts: Uint8Array[] = [];
    for await (const { value } of requests) parts.push(value);
    return { value: new Uint8Array(Buffer.concat(parts)) };
  },
  async *bidi(requests) {
    for await (const { value } of requests) yield { value };
  },
};

/** `echo-*` metadata comes back as header and as trailer. */
function reflectMetadata(context: CallContext): void {
  for (const [key, value] of context.metadata) {
    if (!key.startsWith("echo-")) continue;
    context.responseHeader.append(key, value);
    context.responseTrailer.append(key, value);
  }
}

export function bytes(text: string): { value: Uint8Array } {
  return { value: new TextEncoder().encode(text) };
}

export function text(message: { readonly value: Uint8Array }): string {
  return new TextDecoder().decode(message.value);
}
