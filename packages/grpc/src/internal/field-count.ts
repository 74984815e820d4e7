import type { DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { describeError, OsError } from "@talos-ts/base";

/**
 * Refuses a message with too many fields before an object is made of any of them: two bytes on the wire can be an object of
 * hundreds in memory. Fields of messages inside count too.
 *
 * @throws {OsError} `grpc/too-many-fields`, or `grpc/bad-message`.
 */
export function checkFieldCount(schema: DescMessage, payload: Uint8Array, maxFields: number): void {
  let left = maxFields;

  function count(message: DescMessage | undefined, bytes: Uint8Array): void {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      left -= 1;
      if (left < 0) throw tooMany(schema, maxFields);
      if (wireType !== WireType.LengthDelimited) {
        reader.skip(wireType, number);
        continue;
      }
      const inner = reader.bytes();
      const field = message?.fields.find((each) => each.number === number);
      if (field?.message !== undefined) count(field.message, inner);
    }
  }

  try {
    count(schema, payload);
  } catch (err) {
    if (err instanceof OsError) throw err;
    throw new OsError({
      kind: "internal",
      code: "grpc/bad-message",
      message: `Cannot decode a ${schema.typeName} of ${String(payload.length)} bytes: ${describeError(err)}`,
      cause: err,
    });
  }
}

function tooMany({ typeName }: DescMessage, maxFields: number): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "grpc/too-many-fields",
    message: `Cannot decode a ${typeName}: it has more than ${String(maxFields)} fields`,
  });
}
