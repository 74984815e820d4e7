import { describeError, OsError, type Clock, type Log } from "@talos-ts/base";
import {
  type Certificate,
  extKeyUsageOids,
  parseCertificateDer,
  parseCertificates,
  verifyCertificate,
} from "@talos-ts/crypto";
import type { CallContext } from "@talos-ts/grpc";
import type { OSRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import type { AttemptLimit } from "./attempt-limit.ts";
import { isJoinToken } from "./join-token.ts";
import { hasCurrentToken } from "./token-mark.ts";

/**
 * Describes what a caller may ask for:
 *
 * - `any-names`: it knows the join token, so it is a machine of the cluster, and machines say themselves what they are called
 * - `same-names`: it holds a certificate of the cluster, and may have it again
 */
export type Grant = { readonly kind: "any-names" } | { readonly kind: "same-names"; readonly certificate: Certificate };

export interface AuthenticateOptions {
  readonly limit: AttemptLimit;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A token counts if there is one, else the certificate.
 *
 * @throws {OsError} unauthenticated: `missing token`, `invalid token`; resource exhausted after many of them.
 */
export function authenticate(
  { metadata, peer }: CallContext,
  secrets: OSRootSecretSpec,
  options: AuthenticateOptions,
): Grant {
  const { limit, clock, log } = options;
  const address = peer.ip ?? peer.address;
  const token = metadata.get("token");
  const shown = peer.tls?.certificate;
  // Before the token is looked at: a guess must not be answered.
  if (token !== undefined && limit.isBlocked(address)) throw tooMany();
  try {
    if (token !== undefined && isJoinToken(token, secrets.token)) return { kind: "any-names" };
    if (token !== undefined) throw unauthenticated("trustd/invalid-token", "invalid token");
    if (shown === undefined) throw unauthenticated("trustd/missing-token", "missing token");
    return { kind: "same-names", certificate: verified(shown.raw, secrets, clock) };
  } catch (err) {
    if (limit.isBlocked(address)) throw tooMany();
    if (limit.fail(address)) log(`${address} failed too often and must slow down`);
    throw err;
  }
}

function unauthenticated(code: string, message: string): OsError {
  return new OsError({ kind: "unauthenticated", code, message });
}

function tooMany(): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "trustd/too-many-attempts",
    message: "too many failed attempts from this address, try again later",
  });
}

/** A certificate this service could have issued: of an accepted CA and for servers, so that no person's will do. */
function verified(der: Uint8Array, secrets: OSRootSecretSpec, clock: Clock): Certificate {
  try {
    const leaf = parseCertificateDer(der);
    const roots = secrets.acceptedCAs.flatMap(({ crt }) => parseCertificates(crt));
    verifyCertificate(leaf, { roots, at: new Date(clock.now()), usage: "serverAuth" });
    if (leaf.isCa || leaf.extKeyUsages?.length !== 1 || leaf.extKeyUsages[0] !== extKeyUsageOids.serverAuth) {
      throw new Error("it is not a certificate of a machine");
    }
    if (!hasCurrentToken(leaf, secrets)) throw new Error("it was not issued with the present join token");
    return leaf;
  } catch (err) {
    const reason = describeError(err);
    throw unauthenticated("trustd/certificate-refused", `Client certificate cannot be renewed: ${reason}`);
  }
}
