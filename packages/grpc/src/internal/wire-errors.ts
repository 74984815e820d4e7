import { constants } from "node:http2";
import type { ErrorKind } from "@talos-ts/base";

/** Status for an HTTP/2 error code (RFC 9113 section 7) when no gRPC status came before the reset. */
const kindByReset: Readonly<Record<number, ErrorKind>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: "unavailable",
  [constants.NGHTTP2_CANCEL]: "cancelled",
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: "resource-exhausted",
  [constants.NGHTTP2_INADEQUATE_SECURITY]: "permission-denied",
  // A peer that goes away without a status resets with NO_ERROR.
  [constants.NGHTTP2_NO_ERROR]: "unavailable",
};

export function kindOfReset(code: number): ErrorKind {
  return kindByReset[code] ?? "internal";
}

/** Status for an HTTP status code when the response is not gRPC (gRPC `http-grpc-status-mapping`). */
const kindByHttpStatus: Readonly<Record<number, ErrorKind>> = {
  400: "internal",
  401: "unauthenticated",
  403: "permission-denied",
  404: "unimplemented",
  429: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

export function kindOfHttpStatus(status: number): ErrorKind {
  return kindByHttpStatus[status] ?? "unknown";
}
