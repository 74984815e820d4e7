import type { ErrorKind } from "@talos-ts/base";
import { errorCodes } from "@talos-ts/http2";

/** Status for an HTTP/2 error code (RFC 9113 section 7) when no gRPC status came before the reset. */
const kindByReset: Readonly<Record<number, ErrorKind>> = {
  [errorCodes.refusedStream]: "unavailable",
  [errorCodes.cancel]: "cancelled",
  [errorCodes.enhanceYourCalm]: "resource-exhausted",
  [errorCodes.inadequateSecurity]: "permission-denied",
  // A peer that goes away without a status resets with NO_ERROR.
  [errorCodes.noError]: "unavailable",
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
