import { describeError, OsError } from "@talos-ts/base";
import { tlsMaterial } from "@talos-ts/crypto";
import type { ServerTlsMaterial } from "@talos-ts/grpc";
import type { TrustdCertificateSpec } from "@talos-ts/machinery/resources/secrets";

/**
 * Reads the server credentials of trustd.
 *
 * @throws {OsError} `trustd/bad-certificates`.
 */
export function readServerCredentials({ server, acceptedCAs }: TrustdCertificateSpec): ServerTlsMaterial {
  try {
    return tlsMaterial(
      server,
      acceptedCAs.map(({ crt }) => crt),
    );
  } catch (err) {
    throw new OsError({
      kind: "failed-precondition",
      code: "trustd/bad-certificates",
      message: `Cannot use the server certificate of trustd: ${describeError(err)}`,
      next: "talosctl get trustdcertificates -o yaml",
    });
  }
}
