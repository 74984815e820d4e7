import type { KeyObject } from "node:crypto";
import { explicit, integer, sequence, time, unsignedInteger } from "../der/der-write.ts";
import type { Entropy } from "../entropy.ts";
import { encodeExtensions, type ExtensionsInit } from "./extensions.ts";
import { encodeName, type NameInit } from "./name.ts";
import { signatureAlgorithmOf, signDer } from "./signature.ts";

export interface CertificateInit extends Omit<ExtensionsInit, "emptySubject"> {
  readonly subject: NameInit;
  /** The encoded name of the issuer. Defaults to the subject: self-signed. */
  readonly issuerDer?: Uint8Array;
  readonly issuerKey: KeyObject;
  readonly publicKeyInfo: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly entropy: Entropy;
}

const serialSize = 16;
const emptyNameLength = 2;

/** A signed version 3 certificate with a random serial number of 128 bits. */
export function encodeCertificateDer(init: CertificateInit): Buffer {
  const subject = encodeName(init.subject);
  const body = sequence(
    explicit(0, integer(2n)),
    unsignedInteger(init.entropy.bytes(serialSize)),
    signatureAlgorithmOf(init.issuerKey),
    init.issuerDer ?? subject,
    sequence(time(init.notBefore), time(init.notAfter)),
    subject,
    init.publicKeyInfo,
    explicit(3, encodeExtensions({ ...init, emptySubject: subject.length === emptyNameLength })),
  );
  return signDer(body, init.issuerKey);
}
