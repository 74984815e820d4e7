import { constants } from "node:http2";
import type { ErrorKind } from "@talos-ts/base";

/** What an HTTP/2 reset means when no status came before it. */
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

/** What an HTTP status means when the answer is not gRPC. */
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
