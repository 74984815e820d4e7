import { isRecord } from "@talos-ts/base";
import { parseObject } from "../manifest.ts";
import type { SignatureKey } from "./signature-key.ts";
import { unverified } from "./unverified.ts";

/** Begins the media types of Sigstore bundles. */
export const bundleMediaType = "application/vnd.dev.sigstore.bundle";
const statementType = "application/vnd.in-toto+json";

/**
 * Checks a Sigstore bundle: a DSSE envelope around an in-toto statement whose subject is the manifest.
 *
 * @throws {OsError} `image/unverified`
 */
export function checkBundle(
  bytes: Uint8Array,
  { digest, key }: { readonly digest: string; readonly key: SignatureKey },
): void {
  const { dsseEnvelope } = parseObject(bytes, "Sigstore bundle");
  if (!isRecord(dsseEnvelope)) throw unverified("the bundle has no DSSE envelope");
  const { payload, payloadType, signatures } = dsseEnvelope;
  if (typeof payload !== "string" || payloadType !== statementType) {
    throw unverified(`the bundle is no ${statementType}`);
  }
  const body = Buffer.from(payload, "base64");
  const signed = preAuthenticationEncoding(payloadType, body);
  const valid = (Array.isArray(signatures) ? signatures : []).some(
    (each: unknown) =>
      isRecord(each) && typeof each["sig"] === "string" && key.verifies(signed, Buffer.from(each["sig"], "base64")),
  );
  if (!valid) throw unverified("the signature is not of this key");
  if (!subjects(body).includes(digest)) throw unverified(`the bundle is not for ${digest}`);
}

/** Returns the bytes that a DSSE signature is made over. */
export function preAuthenticationEncoding(type: string, body: Uint8Array): Buffer {
  const head = `DSSEv1 ${String(Buffer.byteLength(type))} ${type} ${String(body.byteLength)} `;
  return Buffer.concat([Buffer.from(head), body]);
}

function subjects(statement: Uint8Array): readonly string[] {
  const { subject } = parseObject(statement, "in-toto statement");
  return (Array.isArray(subject) ? subject : []).flatMap((each: unknown) => {
    const digests = isRecord(each) ? each["digest"] : undefined;
    return isRecord(digests) ? Object.entries(digests).map(([algorithm, hex]) => `${algorithm}:${String(hex)}`) : [];
  });
}
