import { isIP } from "node:net";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";

/** Trusted CAs, certificate and key of a client. */
export interface ClientTlsMaterial {
  /** PEM authorities of the server; without it, those of the system. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** PEM chain of the client. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/** TLS settings of a client. */
export interface ClientTls {
  /** A function is asked at every new connection, so that material can rotate. */
  readonly material?: ClientTlsMaterial | (() => ClientTlsMaterial);
  /** The name or address that the server's certificate must have, instead of the one dialled. */
  readonly serverName?: string;
  /** Takes any certificate, as a machine without a configuration must be taken. @default {false} */
  readonly insecure?: boolean;
  /** Looks at the certificate (DER) of the server before a call is sent, also when insecure; throws to refuse it. */
  readonly checkCertificate?: (der: Buffer) => void;
  /** @default {"TLSv1.3"} */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3";
}

/**
 * Options for one TLS connection to `host`.
 *
 * An IP address is verified like a name but never sent as SNI: Node refuses it, as the standard does.
 */
export function connectOptions(tls: ClientTls, host: string): ConnectionOptions {
  const material = typeof tls.material === "function" ? tls.material() : (tls.material ?? {});
  const identity = tls.serverName ?? host.replace(/%.*$/, "");
  return {
    ...(material.ca !== undefined && { ca: [material.ca].flat() }),
    ...(material.cert !== undefined && { cert: material.cert }),
    ...(material.key !== undefined && { key: material.key }),
    ...(isIP(identity) === 0 && { servername: identity }),
    rejectUnauthorized: tls.insecure !== true,
    checkServerIdentity: (_host, certificate) =>
      tls.insecure === true ? undefined : checkServerIdentity(identity, certificate),
    minVersion: tls.minVersion ?? "TLSv1.3",
    ALPNProtocols: ["h2"],
  };
}
