import { X509Certificate, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import { readDer, readSingle, readTime, readUnsignedInteger } from "../der/der-read.ts";
import { tags } from "../der/der-tags.ts";
import { cryptoError, guard } from "../errors.ts";
import { noExtensions, readExtensions, type Extensions } from "./extensions.ts";
import { parsePublicKeyInfo } from "../keys.ts";
import { readName, type ParsedName } from "./name.ts";
import { decodePem, firstPemBlock, pemLabels } from "../pem/pem.ts";
import { readSigned, type Signed } from "./signature.ts";

/** A certificate as read; reading says nothing about trust, see `verifyCertificate`. */
export interface Certificate extends Extensions {
  readonly der: Buffer;
  readonly serial: bigint;
  readonly subject: ParsedName;
  readonly issuer: ParsedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  /** `SubjectPublicKeyInfo`, what fingerprints are taken of. */
  readonly publicKeyInfo: Buffer;
  readonly signed: Signed;
}

const context = (number: number): number => tags.contextConstructed | number;

/**
 * Reads one DER certificate.
 *
 * @throws `crypto/bad-certificate` when it is malformed, `crypto/bad-key` or `crypto/unsupported-key` for its key.
 */
export function parseCertificateDer(der: Uint8Array): Certificate {
  return guard("crypto/bad-certificate", "Certificate cannot be read", () => {
    const outer = readSingle(der, tags.sequence, "a certificate");
    const signed = readSigned(outer);
    const reader = readDer(signed.body.body);
    const version = reader.optional(context(0));
    const serial = readUnsignedInteger(reader.expect(tags.integer, "the serial number"));
    const algorithm = reader.expect(tags.sequence, "the signature algorithm");
    if (!algorithm.raw.equals(signed.algorithm)) {
      throw cryptoError("crypto/bad-der", "Inner and outer signature algorithms differ");
    }
    const issuer = readName(reader.expect(tags.sequence, "the issuer"));
    const validity = readDer(reader.expect(tags.sequence, "the validity").body);
    const notBefore = readTime(validity.next());
    const notAfter = readTime(validity.next());
    validity.end("the validity");
    const subject = readName(reader.expect(tags.sequence, "the subject"));
    const publicKeyInfo = reader.expect(tags.sequence, "the public key").raw;
    reader.optional(tags.contextPrimitive | 1);
    reader.optional(tags.contextPrimitive | 2);
    const extensions = reader.optional(context(3));
    reader.end("the certificate");
    if (extensions !== undefined && !isVersion3(version?.body)) {
      throw cryptoError("crypto/bad-der", "Only version 3 certificates have extensions");
    }
    return {
      der: outer.raw,
      serial,
      subject,
      issuer,
      notBefore,
      notAfter,
      publicKey: parsePublicKeyInfo(publicKeyInfo),
      publicKeyInfo,
      signed,
      ...(extensions === undefined
        ? noExtensions
        : readExtensions(readSingle(extensions.body, tags.sequence, "the extensions").body)),
    };
  });
}

function isVersion3(explicit: Buffer | undefined): boolean {
  return explicit !== undefined && readUnsignedInteger(readSingle(explicit, tags.integer, "the version")) === 2n;
}

/** The first certificate in PEM text. @throws as `parseCertificateDer`, or `crypto/bad-pem`. */
export function parseCertificate(pem: string): Certificate {
  return parseCertificateDer(firstPemBlock(pem, pemLabels.certificate).der);
}

/** All certificates in PEM text, in order; other blocks are skipped. */
export function parseCertificates(pem: string): Certificate[] {
  return decodePem(pem)
    .filter(({ label }) => label === pemLabels.certificate)
    .map(({ der }) => parseCertificateDer(der));
}

/** Reports whether the subject alternative names include `host`, a DNS name or an IP address; the common name does not count. */
export function certificateCoversHost(certificate: Certificate, host: string): boolean {
  const address = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return guard("crypto/bad-certificate", `Certificate cannot be compared with host "${host}"`, () => {
    const x509 = new X509Certificate(certificate.der);
    return (isIP(address) === 0 ? x509.checkHost(host, { subject: "never" }) : x509.checkIP(address)) !== undefined;
  });
}
