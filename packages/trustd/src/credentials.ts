import { createSecureContext } from "node:tls";
import { OsError } from "@talos-ts/base";
import { tlsPrivateKey } from "@talos-ts/crypto";
import type { ServerTlsMaterial } from "@talos-ts/grpc";
import type { TrustdCertificateSpec } from "@talos-ts/machinery/resources/secrets";

/**
 * The server's credentials as `node:tls` takes them, tried before anybody depends on them.
 *
 * @throws {OsError} `trustd/bad-certificates`.
 */
export function readCredentials({ server, acceptedCAs }: TrustdCertificateSpec): ServerTlsMaterial {
  // Always a list: with none given, Node would believe every public CA.
  const ca = acceptedCAs.map(({ crt }) => crt).filter((crt) => crt !== "");
  try {
    if (server === undefined) throw new Error("there is none");
    const material = { cert: server.crt, key: tlsPrivateKey(server.key), ca };
    createSecureContext(material);
    return material;
  } catch (err) {
    throw new OsError({
      kind: "failed-precondition",
      code: "trustd/bad-certificates",
      message: `Cannot use the server certificate of trustd: ${(err as Error).message}`,
      next: "talosctl get trustdcertificates -o yaml",
    });
  }
}
