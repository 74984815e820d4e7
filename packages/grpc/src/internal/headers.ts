import { Field } from "@talos-ts/http2";
import { Metadata, type MetadataValue } from "../metadata.ts";

export const contentType = "application/grpc";
export const statusDetailsKey = "grpc-status-details-bin";

/**
 * Part that a header field plays in gRPC. It is found out once per entry of the HPACK tables and kept in `Field.tag`, so that a
 * field that comes with every call costs nothing.
 */
export const fieldTags = {
  text: 1,
  binary: 2,
  /** Of the protocol itself or of one connection: no metadata in either direction. */
  reserved: 3,
  /** Outside the metadata grammar (bytes above ASCII): the peer's affair, the call itself is sound. */
  unusable: 4,
  method: 5,
  path: 6,
  authority: 7,
  host: 8,
  contentType: 9,
  timeout: 10,
  encoding: 11,
  status: 12,
} as const;

const tagByName = new Map<string, number>([
  [":method", fieldTags.method],
  [":path", fieldTags.path],
  [":authority", fieldTags.authority],
  ["host", fieldTags.host],
  ["content-type", fieldTags.contentType],
  ["grpc-timeout", fieldTags.timeout],
  ["grpc-encoding", fieldTags.encoding],
  [":status", fieldTags.status],
  [statusDetailsKey, fieldTags.reserved],
  ...[
    "connection",
    "content-length",
    "date",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ].map((name) => [name, fieldTags.reserved] as const),
]);

/** Classifies a field, once per field. */
export function tagOf(field: Field): number {
  return field.tag === 0 ? (field.tag = classify(field)) : field.tag;
}

function classify({ name, value }: Field): number {
  const known = tagByName.get(name);
  if (known !== undefined) return known;
  const binary = name.endsWith("-bin");
  if (name.startsWith(":") || (name.startsWith("grpc-") && !binary)) return fieldTags.reserved;
  if (binary) return Metadata.isKey(name) ? fieldTags.binary : fieldTags.unusable;
  return Metadata.isKey(name) && Metadata.isText(value) ? fieldTags.text : fieldTags.unusable;
}

/** Reads metadata from a header list. */
export function metadataOf(fields: readonly Field[]): Metadata {
  const metadata = new Metadata();
  for (const field of fields) {
    const tag = tagOf(field);
    if (tag === fieldTags.text) metadata.appendChecked(field.name, field.value);
    else if (tag === fieldTags.binary) {
      for (const part of field.value.split(",")) metadata.appendChecked(field.name, decodeBinary(part));
    }
  }
  return metadata;
}

const noValues: readonly string[] = [];

/** The values of one key without `-bin`, in lower case. */
export function valuesOf(fields: readonly Field[], key: string): readonly string[] {
  let values: string[] | undefined;
  for (const field of fields) {
    if (field.name === key && tagOf(field) === fieldTags.text) (values ??= []).push(field.value);
  }
  return values ?? noValues;
}

/** Adds metadata to an outgoing header list; repeated keys become repeated fields. */
export function addMetadata(fields: Field[], metadata: Metadata): void {
  for (const [name, value] of metadata) {
    const field = new Field(name, typeof value === "string" ? value : encodeBinary(value));
    if (tagOf(field) <= fieldTags.binary || name === "grpc-accept-encoding") fields.push(field);
  }
}

/** Adds received fields that are metadata, or of those to keep, for forwarding them as they came. */
export function addReceived(fields: Field[], received: readonly Field[], keep: ReadonlySet<string>): void {
  for (const field of received) if (tagOf(field) <= fieldTags.binary || keep.has(field.name)) fields.push(field);
}

export function encodeBinary(value: Uint8Array): string {
  // The protocol asks senders to omit padding and readers to accept both.
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64").replace(/=+$/, "");
}

export function decodeBinary(value: string): MetadataValue & Uint8Array {
  return new Uint8Array(Buffer.from(value.trim(), "base64"));
}
