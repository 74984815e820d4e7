import { isRecord, OsError, type ErrorKind } from "@talos-ts/base";

/** HTTP status of a failed request to the kind of error. */
const kindByStatus: Readonly<Record<number, ErrorKind>> = {
  400: "invalid-argument",
  401: "unauthenticated",
  403: "permission-denied",
  404: "not-found",
  405: "unimplemented",
  406: "unimplemented",
  409: "aborted",
  410: "out-of-range",
  413: "resource-exhausted",
  415: "unimplemented",
  422: "invalid-argument",
  429: "resource-exhausted",
  500: "internal",
  503: "unavailable",
  504: "deadline-exceeded",
};

/** Code of the error of a watch or list whose resource version the server has compacted. */
const goneCode = "kubernetes/expired";

/**
 * Turns the answer of a failed request into an error: the message of the `Status` object if there is one, `code` from its
 * reason (`AlreadyExists` becomes `kubernetes/already-exists`), `details` with the HTTP status.
 */
export function statusError(request: string, httpStatus: number, body: unknown): OsError {
  const status = isRecord(body) && body["kind"] === "Status" ? body : {};
  const reason = typeof status["reason"] === "string" ? status["reason"] : "";
  const text = typeof status["message"] === "string" && status["message"] !== "" ? status["message"] : undefined;
  const details = isRecord(status["details"]) ? status["details"] : {};
  const retryAfterSeconds = details["retryAfterSeconds"];
  return new OsError({
    kind: reason === "AlreadyExists" ? "already-exists" : (kindByStatus[httpStatus] ?? "unknown"),
    code: codeOf(httpStatus, reason),
    message: `${request}: ${text ?? `unexpected HTTP status ${String(httpStatus)}`}`,
    details: {
      httpStatus,
      ...(reason !== "" && { reason }),
      ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
    },
  });
}

function codeOf(httpStatus: number, reason: string): string {
  if (httpStatus === 410) return goneCode;
  if (reason === "") return `kubernetes/http-${String(httpStatus)}`;
  return `kubernetes/${reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}`;
}
