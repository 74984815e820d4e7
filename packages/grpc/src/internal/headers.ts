import type { OutgoingHttpHeaders } from "node:http2";
import { Metadata, type MetadataValue } from "../metadata.ts";

export const contentType = "application/grpc";

/** Fields of the protocol itself or of one connection: they are not metadata in either direction. */
const reserved = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function isReserved(name: string): boolean {
  return (
    name.startsWith(":") ||
    (name.startsWith("grpc-") && !name.endsWith("-bin")) ||
    name === statusDetailsKey ||
    reserved.has(name)
  );
}

export const statusDetailsKey = "grpc-status-details-bin";

/** Reads metadata from raw `[name, value, …]` fields, which keep repeated fields apart where Node's object joins them. */
export function metadataOf(rawHeaders: readonly string[]): Metadata {
  const metadata = new Metadata();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (isReserved(name)) continue;
    const value = rawHeaders[index + 1] as string;
    try {
      if (name.endsWith("-bin")) for (const part of value.split(",")) metadata.append(name, decodeBinary(part));
      else metadata.append(name, value);
    } catch {
      // A field outside the metadata grammar (bytes above ASCII) is the peer's affair; the call itself is sound.
    }
  }
  return metadata;
}

/** The value of a field in raw headers; `undefined` when absent. */
export function rawField(rawHeaders: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index] === name) return rawHeaders[index + 1];
  }
  return undefined;
}

/** Adds metadata to outgoing header fields; repeated keys become repeated fields. */
export function addMetadata(headers: OutgoingHttpHeaders, metadata: Metadata): void {
  for (const key of metadata.keys()) {
    if (isReserved(key) && key !== "grpc-accept-encoding") continue;
    const values = metadata.getAll(key);
    const [first] = values;
    if (values.length === 1 && first !== undefined) headers[key] = encodeValue(first);
    else headers[key] = values.map(encodeValue);
  }
}

/** Adds raw fields that are not of the protocol, for forwarding them as they came. */
export function addRaw(headers: OutgoingHttpHeaders, rawHeaders: readonly string[], keep: ReadonlySet<string>): void {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    if (isReserved(name) && !keep.has(name)) continue;
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[name] = [String(before), value];
  }
}

export function encodeBinary(value: Uint8Array): string {
  // The protocol asks senders to omit padding and readers to accept both.
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64").replace(/=+$/, "");
}

export function decodeBinary(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(value.trim(), "base64"));
}

function encodeValue(value: MetadataValue): string {
  return typeof value === "string" ? value : encodeBinary(value);
}
