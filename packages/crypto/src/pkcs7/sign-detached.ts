import { sign, type KeyObject } from "node:crypto";
import { tags } from "../der/der-tags.ts";
import { element, explicit, integer, octetString, oid, sequence, setOf } from "../der/der-write.ts";
import { cryptoError } from "../errors.ts";
import { keyTypeOf } from "../keys.ts";
import type { Certificate } from "../x509/certificate.ts";

const sha256 = sequence(oid("2.16.840.1.101.3.4.2.1"), element(tags.null));
const rsaEncryption = sequence(oid("1.2.840.113549.1.1.1"), element(tags.null));
const plainData = sequence(oid("1.2.840.113549.1.7.1"));

/**
 * Signs data as a PKCS #7 `SignedData` (RFC 2315 section 9) that has the certificate but not the data, with RSA and SHA-256 and
 * without attributes. There is no `ContentInfo` around it: that is how UEFI variables want it.
 *
 * @throws `crypto/unsupported-key` for a key that is not RSA
 */
export function signDetached(
  data: Uint8Array,
  { certificate, key }: { readonly certificate: Certificate; readonly key: KeyObject },
): Buffer {
  if (keyTypeOf(key) !== "rsa") {
    throw cryptoError("crypto/unsupported-key", `Cannot sign with a key of type ${keyTypeOf(key)}, expected RSA`);
  }
  const signer = sequence(
    integer(1n),
    sequence(certificate.issuer.der, integer(certificate.serial)),
    sha256,
    rsaEncryption,
    octetString(sign("sha256", data, key)),
  );
  return sequence(integer(1n), setOf(sha256), plainData, explicit(0, certificate.der), setOf(signer));
}
