import { describeError, OsError } from "@talos-ts/base";
import { tlsMaterial, type PemPair, type TlsMaterial } from "@talos-ts/crypto";
import type { ClientTlsMaterial, ServerTlsMaterial } from "@talos-ts/grpc";
import type { ApiCertificateSpec } from "@talos-ts/machinery/resources/secrets";

/** Certificates, keys and trusted CAs of apid, for its listener and for connections to other nodes. */
export interface Credentials {
  readonly server: ServerTlsMaterial;
  /** Only control plane nodes have a certificate that other nodes accept. */
  readonly client: ClientTlsMaterial | undefined;
}

/**
 * Reads the credentials of apid.
 *
 * @throws {OsError} `apid/bad-certificates`.
 */
export function readCredentials({ server, client, acceptedCAs }: ApiCertificateSpec): Credentials {
  const trusted = acceptedCAs.map(({ crt }) => crt);
  const read = (name: string, pair: PemPair | undefined): TlsMaterial => {
    try {
      return tlsMaterial(pair, trusted);
    } catch (err) {
      throw unusable(name, describeError(err));
    }
  };
  return { server: read("server", server), client: client && read("client", client) };
}

function unusable(name: string, reason: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "apid/bad-certificates",
    message: `Cannot use the ${name} certificate of the API: ${reason}`,
    next: "talosctl get apicertificates -o yaml",
  });
}
