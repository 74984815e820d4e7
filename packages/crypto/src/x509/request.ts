import type { KeyObject } from "node:crypto";
import { readDer, readOid, readSingle, readUnsignedInteger, type DerReader } from "../der/der-read.ts";
import { tags } from "../der/der-tags.ts";
import { explicit, integer, oid, sequence, setOf } from "../der/der-write.ts";
import { systemEntropy, type Entropy } from "../entropy.ts";
import { cryptoError, guard } from "../errors.ts";
import { encodeExtensions, noExtensions, readExtensions, type Extensions, type SubjectAltNames } from "./extensions.ts";
import { encodePrivateKey, encodePublicKeyInfo, parsePublicKeyInfo, type KeyType } from "../keys.ts";
import { encodeName, readName, type NameInit, type ParsedName } from "./name.ts";
import { oids } from "../der/oids.ts";
import { encodePem, firstPemBlock, pemLabels } from "../pem/pem.ts";
import { readSigned, signDer, verifySigned } from "./signature.ts";

/** Contents of a certificate signing request (PKCS #10, RFC 2986); usages and lifetime are decided by the CA. */
export interface CertificateRequest extends SubjectAltNames {
  readonly subject: ParsedName;
  readonly publicKey: KeyObject;
  readonly publicKeyInfo: Buffer;
}

/** Subject and names of a certificate signing request. */
export interface RequestInit {
  readonly subject: NameInit;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** A PKCS #10 request (PEM) signed by `key`. */
export function encodeRequest(key: KeyObject, init: RequestInit): string {
  const { dnsNames = [], ipAddresses = [] } = init;
  const extensions = encodeExtensions({ dnsNames, ipAddresses });
  const named = dnsNames.length + ipAddresses.length > 0;
  const attributes = named ? [sequence(oid(oids.extensionRequest), setOf(extensions))] : [];
  const body = sequence(integer(0n), encodeName(init.subject), encodePublicKeyInfo(key), explicit(0, ...attributes));
  return encodePem(pemLabels.certificateRequest, signDer(body, key));
}

/** A request together with the fresh private key (PEM) it was made for. */
export async function createRequest(
  keyType: KeyType,
  init: RequestInit,
  entropy: Entropy = systemEntropy,
): Promise<{ readonly csr: string; readonly key: string }> {
  const key = await entropy.key(keyType);
  return { csr: encodeRequest(key, init), key: encodePrivateKey(key) };
}

/**
 * Reads a request and checks that whoever made it holds the private key.
 *
 * @throws `crypto/bad-pem`, `crypto/bad-request`, `crypto/bad-key`, `crypto/unsupported-key` or
 *   `crypto/bad-signature`.
 */
export function parseRequest(pem: string): CertificateRequest {
  const { der } = firstPemBlock(pem, pemLabels.certificateRequest);
  return guard("crypto/bad-request", "Certificate request cannot be read", () => {
    const signed = readSigned(readSingle(der, tags.sequence, "a certificate request"));
    const reader = readDer(signed.body.body);
    const version = readUnsignedInteger(reader.expect(tags.integer, "the version"));
    if (version !== 0n) throw cryptoError("crypto/bad-der", `Version ${version} is not 0`);
    const subject = readName(reader.expect(tags.sequence, "the subject"));
    const publicKeyInfo = reader.expect(tags.sequence, "the public key").raw;
    const attributes = reader.optional(tags.contextConstructed);
    reader.end("the request");
    const publicKey = parsePublicKeyInfo(publicKeyInfo);
    verifySigned(signed, publicKey, "the certificate request");
    const { dnsNames, ipAddresses } =
      attributes === undefined ? noExtensions : requestedExtensions(readDer(attributes.body));
    return { subject, publicKey, publicKeyInfo, dnsNames, ipAddresses };
  });
}

function requestedExtensions(attributes: DerReader): Extensions {
  let extensions = noExtensions;
  while (!attributes.done) {
    const attribute = readDer(attributes.expect(tags.sequence, "an attribute").body);
    const type = readOid(attribute.expect(tags.oid, "an attribute type"));
    const values = attribute.expect(tags.set, "the attribute values");
    attribute.end("an attribute");
    if (type !== oids.extensionRequest) continue;
    extensions = readExtensions(readSingle(values.body, tags.sequence, "the requested extensions").body);
  }
  return extensions;
}
