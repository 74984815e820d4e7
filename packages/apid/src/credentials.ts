import { createSecureContext } from "node:tls";
import { OsError } from "@talos-ts/base";
import { tlsPrivateKey } from "@talos-ts/crypto";
import type { ClientTlsMaterial, ServerTlsMaterial } from "@talos-ts/grpc";
import type { ApiCertificateSpec } from "@talos-ts/machinery/resources/secrets";

/** Certificates, keys and trusted CAs of apid, for its listener and for connections to other nodes. */
export interface Credentials {
  readonly server: ServerTlsMaterial;
  /** Only control plane nodes have a certificate that other nodes accept. */
  readonly client: ClientTlsMaterial | undefined;
}

/**
 * Credentials as `node:tls` takes them, tried before anybody depends on them.
 *
 * @throws {OsError} `apid/bad-certificates`.
 */
export function readCredentials({ server, client, acceptedCAs }: ApiCertificateSpec): Credentials {
  // Always a list: with none given, Node would believe every public CA.
  const ca = acceptedCAs.map(({ crt }) => crt).filter((crt) => crt !== "");
  if (server === undefined) throw unusable("server", "there is none");
  return {
    server: usable("server", { cert: server.crt, key: tlsPrivateKey(server.key), ca }),
    client: client && usable("client", { cert: client.crt, key: tlsPrivateKey(client.key), ca }),
  };
}

function usable<M extends ServerTlsMaterial>(name: string, material: M & { readonly ca: string[] }): M {
  try {
    createSecureContext(material);
    return material;
  } catch (err) {
    throw unusable(name, (err as Error).message);
  }
}

function unusable(name: string, reason: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "apid/bad-certificates",
    message: `Cannot use the ${name} certificate of the API: ${reason}`,
    next: "talosctl get apicertificates -o yaml",
  });
}
