import { create, ScalarType, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A message in its wire form. */
export interface EncodedMessage {
  readonly head: Uint8Array;
  /** The rest, which is the memory that the message itself has. */
  readonly tail: Uint8Array | undefined;
}

/** Fields of at least this many bytes are worth a part of their own. */
const minTailBytes = 4096;
const empty = new Uint8Array(0);

interface BytesField {
  readonly name: string;
  readonly number: number;
}

const bytesFields = new WeakMap<DescMessage, readonly BytesField[]>();

/**
 * Encodes a message without copying a large `bytes` field: that one comes last, in the memory where it is. Fields may come in any
 * order. Most of what a machine sends in bulk (files, logs, snapshots, packets) is such a field.
 */
export function encodeMessage(schema: DescMessage, init: MessageInitShape<DescMessage>): EncodedMessage {
  const message = create(schema, init);
  // An optional field that is not set is absent.
  const values = message as unknown as Record<string, Uint8Array | undefined>;
  const large = bytesFieldsOf(schema).find(({ name }) => (values[name]?.length ?? 0) >= minTailBytes);
  const tail = large === undefined ? undefined : values[large.name];
  if (large === undefined || tail === undefined) return { head: toBinary(schema, message), tail: undefined };
  // The message may be the handler's own object, which stays as it was.
  values[large.name] = empty;
  const rest = toBinary(schema, message);
  values[large.name] = tail;
  const writer = new BinaryWriter().raw(rest).tag(large.number, WireType.LengthDelimited).uint32(tail.length);
  return { head: writer.finish(), tail };
}

function bytesFieldsOf(schema: DescMessage): readonly BytesField[] {
  const known = bytesFields.get(schema);
  if (known !== undefined) return known;
  const found = schema.fields.flatMap((field): BytesField[] =>
    field.fieldKind === "scalar" && field.scalar === ScalarType.BYTES && field.oneof === undefined
      ? [{ name: field.localName, number: field.number }]
      : [],
  );
  bytesFields.set(schema, found);
  return found;
}
