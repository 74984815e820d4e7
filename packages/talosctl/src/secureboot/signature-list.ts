import { createHash } from "node:crypto";
import { encodeGuid } from "./guid.ts";

/** EFI_CERT_X509_GUID. */
const x509Type = encodeGuid("a5c059a1-94e4-4aa7-87b5-ab155c2bf072");
/** Name space of X.500 names (RFC 4122 appendix C). */
const x500 = Buffer.from("6ba7b8149dad11d180b400c04fd430c8", "hex");
const guidSize = 16;
const headerSize = 28;

/** Writes an EFI_SIGNATURE_LIST (UEFI section 32.4.1) with one certificate. @param owner GUID of who enrolls it */
export function signatureList(owner: string, certificate: Uint8Array): Buffer {
  const header = Buffer.alloc(headerSize);
  x509Type.copy(header);
  header.writeUInt32LE(headerSize + guidSize + certificate.byteLength, 16);
  header.writeUInt32LE(0, 20);
  header.writeUInt32LE(guidSize + certificate.byteLength, 24);
  return Buffer.concat([header, encodeGuid(owner), certificate]);
}

/** Derives the owner from the certificate's file, as Talos does, so that the same file gives the same database. */
export function ownerOf(file: Uint8Array): string {
  const bytes = createHash("sha256").update(x500).update(file).digest().subarray(0, guidSize);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
