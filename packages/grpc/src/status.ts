import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { errorKinds, kindOfStatus, OsError, type ErrorKind } from "@talos-ts/base";
import { Field, fieldValue } from "@talos-ts/http2";
import { StatusSchema } from "@talos-ts/proto/google/rpc/status";
import { packErrorInfo, readErrorInfo } from "./error-info.ts";
import { decodeBinary, encodeBinary, statusDetailsKey } from "./internal/headers.ts";
import { percentDecode, percentEncode } from "./internal/percent.ts";

/** The typed details of a status, kept in `OsError.details.grpcDetails`. */
export function grpcDetailsOf(error: OsError): readonly Any[] {
  const details = error.details["grpcDetails"];
  return Array.isArray(details) ? (details as Any[]) : [];
}

/** All details a status should carry: those that came with the error, or else what it knows itself. */
export function statusDetailsOf(error: OsError): readonly Any[] {
  const came = grpcDetailsOf(error);
  const own = readErrorInfo(came).code === undefined ? packErrorInfo(error) : undefined;
  return own === undefined ? came : [...came, own];
}

/** The numeric gRPC code of a caught value; `0` for `undefined`. */
export function statusCodeOf(error: unknown): number {
  return error === undefined ? 0 : errorKinds[OsError.from(error).kind];
}

/** Peers bound their header lists, often to 8 KiB; a status that does not arrive helps nobody. */
const maxMessageLength = 2048;
const maxDetailsLength = 16_384;

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1).toWellFormed()}…`;
}

const okField = new Field("grpc-status", "0");

/** Adds the trailer fields of a status; a value that is no `OsError` gives its message, never its stack. */
export function addStatus(fields: Field[], error: unknown): void {
  if (error === undefined) {
    fields.push(okField);
    return;
  }
  const known = OsError.from(error);
  const code = errorKinds[known.kind];
  fields.push(new Field("grpc-status", String(code)));
  if (known.message !== "") fields.push(new Field("grpc-message", percentEncode(shortened(known.message))));
  const details = statusDetailsOf(known);
  if (details.length > 0) {
    const status = create(StatusSchema, { code, message: shortened(known.message), details: [...details] });
    const encoded = encodeBinary(toBinary(StatusSchema, status));
    if (encoded.length <= maxDetailsLength) fields.push(new Field(statusDetailsKey, encoded));
  }
}

/** The error that trailer fields carry; `undefined` for OK. */
export function errorOfTrailers(trailers: readonly Field[]): OsError | undefined {
  const status = fieldValue(trailers, "grpc-status");
  if (status === "0") return undefined;
  const kind = kindOfStatus(Number(status));
  const message = percentDecode(fieldValue(trailers, "grpc-message") ?? "");
  const grpcDetails = decodeDetails(fieldValue(trailers, statusDetailsKey));
  const { code: remoteCode, next } = readErrorInfo(grpcDetails);
  return new OsError({
    kind,
    code: `grpc/${kind}`,
    message: message === "" ? kind : message,
    ...(next !== undefined && { next }),
    details: { ...(grpcDetails.length > 0 && { grpcDetails }), ...(remoteCode !== undefined && { remoteCode }) },
  });
}

/** Makes the error of a gRPC status; its code is `grpc/<kind>`. */
export function statusError(
  kind: ErrorKind,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): OsError {
  return new OsError({ kind, code: `grpc/${kind}`, message, details, ...(cause !== undefined && { cause }) });
}

function decodeDetails(value: string | undefined): Any[] {
  if (value === undefined) return [];
  try {
    return fromBinary(StatusSchema, decodeBinary(value)).details;
  } catch {
    // The status itself is intact; details of a foreign shape are no reason to hide it.
    return [];
  }
}
