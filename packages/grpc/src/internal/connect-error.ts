import { describeError, OsError } from "@talos-ts/base";

/** Codes of `node:tls` for a server certificate that no trusted CA issued. */
const untrusted = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const expired = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);

/** TLS alerts (RFC 8446 section 6.2) by which a server refuses the client's certificate; OpenSSL's prefixes vary. */
const alerts: readonly (readonly [pattern: RegExp, code: ConnectErrorCode])[] = [
  [/_ALERT_UNKNOWN_CA$/, "grpc/connect-untrusted-client"],
  [/_ALERT_CERTIFICATE_EXPIRED$/, "grpc/connect-expired"],
  [/_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_REQUIRED|CERTIFICATE_UNKNOWN|ACCESS_DENIED)$/, "grpc/connect-refused-client"],
];

/**
 * Why a connection could not be made:
 *
 * - `grpc/connect-untrusted`: no trusted CA issued the server's certificate.
 * - `grpc/connect-untrusted-client`: the server does not trust the CA of the client's certificate.
 * - `grpc/connect-expired`: the server's or the client's certificate has expired.
 * - `grpc/connect-refused-client`: the server refused the client's certificate, or requires one.
 * - `grpc/connect-rejected`: `ClientTls.checkCertificate` rejected the server's certificate.
 * - `grpc/connect-closed`: the server closed the connection before HTTP/2 began.
 * - `grpc/connect`: anything else, as a host that does not answer.
 */
export type ConnectErrorCode =
  | "grpc/connect"
  | "grpc/connect-closed"
  | "grpc/connect-expired"
  | "grpc/connect-refused-client"
  | "grpc/connect-rejected"
  | "grpc/connect-untrusted"
  | "grpc/connect-untrusted-client";

/** Makes the error of a connection that failed; without a cause the server closed it. */
export function connectError(target: string, cause: unknown): OsError {
  const code = connectErrorCode(cause);
  const reason = code === "grpc/connect-untrusted" ? unknownAuthority : tlsReasonOf(cause);
  return new OsError({
    kind: "unavailable",
    code,
    message: `Cannot connect to ${target}: ${cause === undefined ? "the connection closed" : (reason ?? describeError(cause))}`,
    ...(reason === undefined && cause !== undefined && { cause }),
  });
}

/** Joins the errors of several endpoints; a code that names the problem counts more than one that does not. */
export function joinConnectErrors(errors: readonly OsError[]): OsError | undefined {
  const [first] = errors;
  if (first === undefined || errors.length === 1) return first;
  return new OsError({
    kind: "unavailable",
    code: errors.find(({ code }) => code !== "grpc/connect")?.code ?? "grpc/connect",
    message: errors.map((error) => error.message).join("; "),
    cause: first,
  });
}

function connectErrorCode(cause: unknown): ConnectErrorCode {
  if (cause === undefined) return "grpc/connect-closed";
  if (cause instanceof OsError) return "grpc/connect-rejected";
  const { code } = cause as NodeJS.ErrnoException;
  if (typeof code !== "string") return "grpc/connect";
  if (untrusted.has(code)) return "grpc/connect-untrusted";
  if (expired.has(code)) return "grpc/connect-expired";
  return alerts.find(([pattern]) => pattern.test(code))?.[1] ?? "grpc/connect";
}

/** Text of clients in Go. That of Node.js advises a flag of Node.js, which does not help against a CA of a cluster. */
const unknownAuthority = "tls: failed to verify certificate: x509: certificate signed by unknown authority";

/** OpenSSL's messages name source files, on lines of their own; its reason is what a person can use. */
function tlsReasonOf(cause: unknown): string | undefined {
  const reason = (cause as { readonly reason?: unknown } | undefined)?.reason;
  return typeof reason === "string" ? reason : undefined;
}
