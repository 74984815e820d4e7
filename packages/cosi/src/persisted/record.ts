import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import { MetadataSchema, ResourceSchema } from "@talos-ts/proto/cosi/resource";
import type { Pointer, Resource } from "../resource.ts";
import type { WireCodec } from "../grpc/wire-resource.ts";

/** One change, as it is written down. */
export type Change =
  | { readonly op: "put"; readonly resource: Resource }
  | { readonly op: "delete"; readonly resource: Resource };

type Stored =
  | { readonly op: "put"; readonly resource: Resource }
  | { readonly op: "delete"; readonly pointer: Pointer };

const putTag = 1;
const deleteTag = 2;

/** The changes of one write: for each a tag, a length and a message. */
export function encodeChanges(codec: WireCodec, changes: readonly Change[]): Buffer {
  return Buffer.concat(
    changes.flatMap(({ op, resource }) => {
      const { namespace, type, id } = resource.metadata;
      return op === "put"
        ? [Buffer.of(putTag), sizeDelimitedEncode(ResourceSchema, codec.encode(resource))]
        : [Buffer.of(deleteTag), sizeDelimitedEncode(MetadataSchema, create(MetadataSchema, { namespace, type, id }))];
    }),
  );
}

export function* decodeChanges(codec: WireCodec, body: Uint8Array): Generator<Stored> {
  const reader = new BinaryReader(body);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    // A copy: what is read lives on in resources, and would keep the whole file alive with it.
    const message = Uint8Array.from(reader.bytes());
    if (tag === putTag) yield { op: "put", resource: codec.decode(fromBinary(ResourceSchema, message)) };
    else yield { op: "delete", pointer: fromBinary(MetadataSchema, message) };
  }
}

/** Returns how many bytes a resource takes in a log. */
export function sizeOf(codec: WireCodec, resource: Resource): number {
  return toBinary(ResourceSchema, codec.encode(resource)).length;
}
