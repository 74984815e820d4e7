import { describeError } from "@talos-ts/base";

/** Alerts of RFC 8446 §6 in the words of Go's TLS, which people search for. */
const alerts: Readonly<Record<number, string>> = {
  40: "handshake failure",
  42: "bad certificate",
  43: "unsupported certificate",
  44: "revoked certificate",
  45: "expired certificate",
  46: "unknown certificate",
  48: "unknown certificate authority",
  49: "access denied",
  70: "protocol version not supported",
  80: "internal error",
  116: "certificate required",
};

/** Returns what the other side of a TLS connection said, in the words of Go; other errors as they are. */
export function goTlsError(err: unknown): string {
  const text = describeError(err);
  const number = /SSL alert number (\d+)/.exec(text)?.[1];
  const alert = number === undefined ? undefined : alerts[Number(number)];
  if (alert !== undefined) return `remote error: tls: ${alert}`;
  const refused = /connect ECONNREFUSED (\S+)/.exec(text)?.[1];
  return refused === undefined ? text : `dial tcp ${refused}: connect: connection refused`;
}
