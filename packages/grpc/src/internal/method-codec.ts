import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { describeError, OsError } from "@talos-ts/base";
import { methodInfo } from "../method.ts";

/** Codec of a method's messages, with types erased. */
export interface MethodCodec {
  readonly path: string;
  readonly encode: (init: unknown) => Uint8Array;
  readonly decode: (payload: Uint8Array) => unknown;
}

export function methodCodec(method: DescMethod): MethodCodec {
  return {
    path: methodInfo(method).path,
    encode: (init) => toBinary(method.input, create(method.input, init as MessageInitShape<DescMessage>)),
    decode: (payload) => decodeMessage(method.output, payload),
  };
}

/** @throws {OsError} `grpc/bad-message`. */
export function decodeMessage(schema: DescMessage, payload: Uint8Array): unknown {
  try {
    return fromBinary(schema, payload);
  } catch (cause) {
    throw new OsError({
      kind: "internal",
      code: "grpc/bad-message",
      message: `Cannot decode a ${schema.typeName} of ${String(payload.length)} bytes: ${describeError(cause)}`,
      cause,
    });
  }
}
