import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describeError, errorKinds, OsError } from "@talos-ts/base";
import { statusDetailsOf } from "@talos-ts/grpc";
import { MetadataSchema, type Metadata } from "@talos-ts/proto/common/common";
import { StatusSchema } from "@talos-ts/proto/google/rpc/status";

/**
 * Replies of several nodes become one without being decoded: every reply is `{1: repeated item}` and every item (or message of
 * a stream) has the node's metadata as field 1. In protobuf, appending a field merges it, so a few bytes at the end of an item
 * mark where it came from.
 */
const itemsField = 1;
const metadataField = 1;

/**
 * Marks each item of a unary reply as coming from this node. A reply without items gets one that has only the mark.
 *
 * @throws {OsError} `apid/unexpected-reply`.
 */
export function markReply(reply: Uint8Array, node: string): Uint8Array {
  const mark = metadataBytes({ hostname: node });
  const items = itemsOf(reply, node);
  if (items.length === 0) return wrap(mark);
  const writer = new BinaryWriter();
  for (const item of items) writer.tag(itemsField, WireType.LengthDelimited).bytes(Buffer.concat([item, mark]));
  return writer.finish();
}

function itemsOf(reply: Uint8Array, node: string): Uint8Array[] {
  const items: Uint8Array[] = [];
  try {
    const reader = new BinaryReader(reply);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field !== itemsField || wireType !== WireType.LengthDelimited) throw new Error(`got field ${String(field)}`);
      items.push(reader.bytes());
    }
    return items;
  } catch (err) {
    throw new OsError({
      kind: "internal",
      code: "apid/unexpected-reply",
      message: `Cannot join the reply of node "${node}": expected a list of items in field 1: ${describeError(err)}`,
      cause: err,
    });
  }
}

/** Marks one message of a stream. */
export function markMessage(message: Uint8Array, node: string): Uint8Array {
  return Buffer.concat([message, metadataBytes({ hostname: node })]);
}

/** The failure of one node as an ordinary reply, so that the others' answers still reach the caller. */
export function errorReply(error: OsError, node: string, streaming: boolean): Uint8Array {
  const code = errorKinds[error.kind];
  const bytes = metadataBytes({
    hostname: node,
    error: `rpc error: code = ${goCodeNames[code] ?? "Unknown"} desc = ${error.message}`,
    status: create(StatusSchema, { code, message: error.message, details: [...statusDetailsOf(error)] }),
  });
  return streaming ? bytes : wrap(bytes);
}

function wrap(item: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(itemsField, WireType.LengthDelimited).bytes(item).finish();
}

function metadataBytes(metadata: Partial<Pick<Metadata, "hostname" | "error" | "status">>): Uint8Array {
  const bytes = toBinary(MetadataSchema, create(MetadataSchema, metadata));
  return new BinaryWriter().tag(metadataField, WireType.LengthDelimited).bytes(bytes).finish();
}

/** Code names as Go prints them; clients show this text as it comes. */
const goCodeNames: Readonly<Record<number, string>> = {
  1: "Canceled",
  2: "Unknown",
  3: "InvalidArgument",
  4: "DeadlineExceeded",
  5: "NotFound",
  6: "AlreadyExists",
  7: "PermissionDenied",
  8: "ResourceExhausted",
  9: "FailedPrecondition",
  10: "Aborted",
  11: "OutOfRange",
  12: "Unimplemented",
  13: "Internal",
  14: "Unavailable",
  15: "DataLoss",
  16: "Unauthenticated",
};
