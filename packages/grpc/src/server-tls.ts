import { constants } from "node:crypto";
import type { OsError } from "@talos-ts/base";
import { DEFAULT_CIPHERS, type SecureContextOptions, type TlsOptions } from "node:tls";

/** Certificate, key and trusted CAs of a server. */
export interface ServerTlsMaterial {
  /** PEM chain, own certificate first. */
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** PEM authorities that client certificates must chain to. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
}

/** TLS settings of a listener. */
export interface ServerTls {
  /** A function is asked at every new connection, so that material can rotate; return the same object while nothing changes. */
  readonly material: ServerTlsMaterial | (() => ServerTlsMaterial);
  /** `request` takes a certificate without insisting; the handler looks at `peer.tls.authorized`. @default {"none"} */
  readonly clientAuth?: "none" | "request" | "require";
  /** @default {"TLSv1.3"} */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3";
  /** New material could not be used; the last good stays in use. */
  readonly onError?: (error: OsError) => void;
}

/** The order of Go's TLS, and so of upstream's apid: with AES in hardware the shorter key is enough and faster. */
const ciphers = [
  "TLS_AES_128_GCM_SHA256",
  ...DEFAULT_CIPHERS.split(":").filter((name) => name !== "TLS_AES_128_GCM_SHA256"),
].join(":");

export function materialOf(tls: ServerTls): ServerTlsMaterial {
  return typeof tls.material === "function" ? tls.material() : tls.material;
}

export function secureContextOptions(tls: ServerTls, material: ServerTlsMaterial): SecureContextOptions {
  return {
    cert: material.cert,
    key: material.key,
    ...(material.ca !== undefined && { ca: [material.ca].flat() }),
    minVersion: tls.minVersion ?? "TLSv1.3",
    ciphers,
    // A resumed session would keep trusting a certificate whose authority has been rotated out.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

export function serverOptions(tls: ServerTls, material: ServerTlsMaterial): TlsOptions {
  const clientAuth = tls.clientAuth ?? "none";
  return {
    ...secureContextOptions(tls, material),
    requestCert: clientAuth !== "none",
    // The listener refuses a client itself, with an alert that says why.
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  };
}
