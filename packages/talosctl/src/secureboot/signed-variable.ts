import type { KeyObject } from "node:crypto";
import { signDetached, type Certificate } from "@talos-ts/crypto";
import { encodeGuid } from "./guid.ts";

/** Variables that decide what a firmware starts, and the GUID of who defines them. */
const vendors = {
  PK: "8be4df61-93ca-11d2-aa0d-00e098032b8c",
  KEK: "8be4df61-93ca-11d2-aa0d-00e098032b8c",
  db: "d719b2cb-3d3a-4596-a3bc-dad00e67656f",
} as const;

export type SecureBootVariable = keyof typeof vendors;

/** NON_VOLATILE, BOOTSERVICE_ACCESS, RUNTIME_ACCESS, TIME_BASED_AUTHENTICATED_WRITE_ACCESS. */
const attributes = 0x27;
/** EFI_CERT_TYPE_PKCS7_GUID. */
const pkcs7Type = encodeGuid("4aafd29d-68df-49ee-8aa9-347d375665a7");
const revision = 0x0200;
const certificateType = 0x0ef1;
const headerSize = 24;

/**
 * Signs a new value of a variable as EFI_VARIABLE_AUTHENTICATION_2 (UEFI section 8.2.2), as firmware and boot loaders enroll it
 * from a file.
 *
 * @param time Must not be older than that of the value that is replaced; seconds count, in UTC.
 */
export function signVariable(
  name: SecureBootVariable,
  value: Uint8Array,
  signer: { readonly certificate: Certificate; readonly key: KeyObject },
  time: Date,
): Buffer {
  const timestamp = encodeTime(time);
  const bits = Buffer.alloc(4);
  bits.writeUInt32LE(attributes);
  const signed = Buffer.concat([Buffer.from(name, "utf16le"), encodeGuid(vendors[name]), bits, timestamp, value]);
  const signature = signDetached(signed, signer);
  const header = Buffer.alloc(headerSize);
  header.writeUInt32LE(headerSize + signature.length, 0);
  header.writeUInt16LE(revision, 4);
  header.writeUInt16LE(certificateType, 6);
  pkcs7Type.copy(header, 8);
  return Buffer.concat([timestamp, header, signature, value]);
}

/** Writes an EFI_TIME, in which all but date and time must be zero here. */
function encodeTime(time: Date): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(time.getUTCFullYear(), 0);
  bytes.set(
    [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()],
    2,
  );
  return bytes;
}
