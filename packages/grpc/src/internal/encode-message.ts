import { create, ScalarType, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";

/** A message in its wire form. */
export interface EncodedMessage {
  readonly head: Uint8Array;
  /** The rest, which is the memory that the message itself has. */
  readonly tail: Uint8Array | undefined;
}

/** Fields of at least this many bytes are worth a part of their own. */
const minTailBytes = 4096;
const lengthDelimited = 2;
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
  const values = message as unknown as Record<string, unknown>;
  const large = bytesFieldsOf(schema).find(({ name }) => (values[name] as Uint8Array).length >= minTailBytes);
  if (large === undefined) return { head: toBinary(schema, message), tail: undefined };
  const tail = values[large.name] as Uint8Array;
  // The message may be the handler's own object, which stays as it was.
  values[large.name] = empty;
  const rest = toBinary(schema, message);
  values[large.name] = tail;
  return { head: withPrefixOf(rest, large.number, tail.length), tail };
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

/** Adds tag and length of a length-delimited field, whose value follows. */
function withPrefixOf(rest: Uint8Array, number: number, length: number): Uint8Array {
  const prefix: number[] = [];
  addVarint(prefix, number * 8 + lengthDelimited);
  addVarint(prefix, length);
  return Buffer.concat([rest, Uint8Array.from(prefix)]);
}

function addVarint(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  bytes.push(left);
}
