import { OsError } from "@talos-ts/base";
import { certificateCoversHost, type Certificate } from "./certificate.ts";
import { cryptoError } from "../errors.ts";
import { formatName } from "./name.ts";
import { extKeyUsageOids, type ExtKeyUsage } from "../der/oids.ts";
import { verifySigned } from "./signature.ts";

/** Trusted CAs, point in time and purpose for which a certificate is verified. */
export interface VerifyOptions {
  /** The certificates that are trusted as they are. */
  readonly roots: readonly Certificate[];
  /** Untrusted certificates that may help to reach a root. @default {[]} */
  readonly intermediates?: readonly Certificate[];
  /** The moment all certificates of the chain must be valid at. */
  readonly at: Date;
  /** Extended key usage that the leaf must have. Every certificate of the chain that restricts usages must allow it. */
  readonly usage: Exclude<ExtKeyUsage, "any">;
  /** A DNS name or IP address the leaf must stand for. */
  readonly host?: string;
}

/** Bounds for hostile input: a chain is short, and so is the number of signatures worth checking. */
const maxChainLength = 8;
const maxSignatureChecks = 64;

/**
 * Finds a chain from `leaf` to one of the roots.
 *
 * @returns The chain, leaf first, root last.
 * @throws `crypto/expired`, `crypto/not-yet-valid`, `crypto/wrong-usage`, `crypto/wrong-host`, or
 *   `crypto/untrusted` when no root vouches for the leaf.
 */
export function verifyCertificate(leaf: Certificate, options: VerifyOptions): readonly Certificate[] {
  checkValidity(leaf, options);
  if (options.host !== undefined && !certificateCoversHost(leaf, options.host)) {
    const names = [...leaf.dnsNames, ...leaf.ipAddresses].join(", ");
    throw cryptoError("crypto/wrong-host", `Certificate is valid for ${names || "no host"}, not ${options.host}`);
  }
  const search: Search = { options, checksLeft: maxSignatureChecks, failure: undefined };
  const chain = extend([leaf], search);
  if (chain !== undefined) return chain;
  const trusted = options.roots.map((root) => `"${formatName(root.subject)}"`).join(", ");
  throw (
    search.failure ??
    cryptoError(
      "crypto/untrusted",
      `Certificate "${formatName(leaf.subject)}", issued by "${formatName(leaf.issuer)}", is not signed by a trusted ` +
        `CA; trusted: ${trusted || "none"}`,
    )
  );
}

interface Search {
  readonly options: VerifyOptions;
  checksLeft: number;
  /** Error of the best candidate: one that has the right name. */
  failure: OsError | undefined;
}

function extend(chain: readonly Certificate[], search: Search): readonly Certificate[] | undefined {
  const { roots, intermediates = [] } = search.options;
  const last = chain.at(-1);
  if (last === undefined || chain.length > maxChainLength) return undefined;
  if (roots.some((root) => root.der.equals(last.der))) return chain;
  for (const candidate of [...roots, ...intermediates]) {
    if (!candidate.subject.der.equals(last.issuer.der) || chain.some((link) => link.der.equals(candidate.der)))
      continue;
    if (!vouches(candidate, last, chain.length - 1, search)) continue;
    const found = roots.includes(candidate) ? [...chain, candidate] : extend([...chain, candidate], search);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reports whether `issuer` signed `subject` and is allowed to; a refusal is kept as the reason. */
function vouches(issuer: Certificate, subject: Certificate, intermediatesBelow: number, search: Search): boolean {
  if (search.checksLeft === 0) return false;
  search.checksLeft -= 1;
  try {
    verifySigned(subject.signed, issuer.publicKey, `certificate "${formatName(subject.subject)}"`);
    checkAuthority(issuer, intermediatesBelow);
    checkValidity(issuer, search.options);
    return true;
  } catch (err) {
    search.failure = OsError.from(err);
    return false;
  }
}

function checkAuthority(issuer: Certificate, intermediatesBelow: number): void {
  const name = `Certificate "${formatName(issuer.subject)}"`;
  if (!issuer.isCa || (issuer.keyUsages !== undefined && !issuer.keyUsages.includes("keyCertSign"))) {
    throw cryptoError("crypto/untrusted", `${name} is not allowed to sign certificates`);
  }
  if (issuer.pathLength !== undefined && intermediatesBelow > issuer.pathLength) {
    throw cryptoError("crypto/untrusted", `${name} allows ${issuer.pathLength} intermediate CAs below it`);
  }
}

function checkValidity(certificate: Certificate, { at, usage }: VerifyOptions): void {
  const name = `Certificate "${formatName(certificate.subject)}"`;
  const now = `current time ${at.toISOString()}`;
  if (at < certificate.notBefore) {
    const from = certificate.notBefore.toISOString();
    throw cryptoError("crypto/not-yet-valid", `${name} is not valid before ${from}, ${now}`);
  }
  if (at > certificate.notAfter) {
    throw cryptoError("crypto/expired", `${name} expired at ${certificate.notAfter.toISOString()}, ${now}`);
  }
  if (certificate.unhandled.length > 0) {
    const list = certificate.unhandled.join(", ");
    throw cryptoError("crypto/untrusted", `${name} has restrictions that are not understood: ${list}`);
  }
  const allowed = certificate.extKeyUsages;
  if (allowed === undefined || allowed.includes(extKeyUsageOids.any)) return;
  if (!allowed.includes(extKeyUsageOids[usage])) {
    throw cryptoError("crypto/wrong-usage", `${name} is not allowed for ${usage}`);
  }
}
