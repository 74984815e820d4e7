import { describeError, isCode, OsError, systemClock, type Clock, type Log } from "@talos-ts/base";
import { formatName, parseRequest, type CertificateRequest } from "@talos-ts/crypto";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { OSRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { signWorkerRequest } from "@talos-ts/machinery/secrets/worker";
import type { SecurityService } from "@talos-ts/proto/security/security";
import { createAttemptLimit, type AttemptLimit } from "./attempt-limit.ts";
import { authenticate } from "./authenticate.ts";
import { checkRenewal } from "./renewal.ts";
import { checkRequest } from "./requested-names.ts";
import { markedEntropy } from "./token-mark.ts";

export interface SecurityServiceOptions {
  /** Asked at every call; `undefined` while they are not known. */
  readonly secrets: () => OSRootSecretSpec | undefined;
  readonly log: Log;
  /** @default {createAttemptLimit()} */
  readonly limit?: AttemptLimit;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Signs the server certificates of machines that cannot sign their own. */
export function securityService(options: SecurityServiceOptions): ServiceImpl<typeof SecurityService> {
  const { log, clock = systemClock } = options;
  const limit = options.limit ?? createAttemptLimit({ clock });

  return {
    certificate({ csr }, context) {
      const { address } = context.peer;
      try {
        const secrets = options.secrets() ?? notYet();
        const grant = authenticate(context, secrets, { limit, clock, log });
        const pem = Buffer.from(csr).toString("latin1");
        const request = readRequest(pem);
        checkRequest(request);
        if (grant.kind === "same-names") checkRenewal(request, grant.certificate);
        const crt = sign(secrets, pem, new Date(clock.now()));
        log(`${grant.kind === "same-names" ? "renewed" : "signed"} a certificate for ${address}: ${summary(request)}`);
        return { ca: Buffer.from(secrets.acceptedCAs.map((ca) => ca.crt).join("")), crt: Buffer.from(crt) };
      } catch (err) {
        // A flood of bad guesses shall not become a flood of lines.
        if (!isCode(err, "trustd/too-many-attempts")) log(`refused ${address}: ${describeError(err)}`);
        throw err;
      }
    },
  };
}

function notYet(): never {
  throw new OsError({
    kind: "unavailable",
    code: "trustd/no-secrets",
    message: "The CA of the cluster is not known to this machine yet",
    next: "talosctl get osrootsecrets",
  });
}

function readRequest(pem: string): CertificateRequest {
  try {
    return parseRequest(pem);
  } catch (err) {
    const undecoded = isCode(err, "crypto/bad-pem");
    throw new OsError({
      kind: "invalid-argument",
      code: undecoded ? "trustd/undecodable-csr" : "trustd/unparsable-csr",
      message: undecoded ? "failed to decode CSR" : `failed to parse CSR: ${describeError(err)}`,
      cause: err,
    });
  }
}

function sign(secrets: OSRootSecretSpec, csr: string, now: Date): string {
  try {
    if (secrets.issuingCA === undefined) throw new Error("this machine has no CA key");
    return signWorkerRequest(secrets.issuingCA, csr, { now, entropy: markedEntropy(secrets) });
  } catch (err) {
    throw new OsError({
      kind: "internal",
      code: "trustd/signing",
      message: `failed to sign CSR: ${describeError(err)}`,
      cause: err,
    });
  }
}

function summary({ subject, dnsNames, ipAddresses }: CertificateRequest): string {
  const dropped =
    subject.organizations.length === 0
      ? ""
      : `, without the ${String(subject.organizations.length)} organizations asked for`;
  const name = formatName({ commonName: subject.commonName });
  return `${name}, names ${[...dnsNames, ...ipAddresses].join(" ")}${dropped}`;
}
