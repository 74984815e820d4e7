import type { Metadata } from "@talos-ts/grpc";

/** Signs calls: an OpenPGP private key. */
export interface Signer {
  /** In hexadecimal, lower case. */
  readonly fingerprint: string;
  /** Makes a binary detached signature. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

const timestampHeader = "x-sidero-timestamp";
const payloadHeader = "x-sidero-payload";
const signatureHeader = "x-sidero-signature";

/** Headers that the signature covers, as the verifier names them; one that a call does not have is `null` in the payload. */
const coveredHeaders = [
  timestampHeader,
  "nodes",
  "selectors",
  "fieldSelectors",
  "runtime",
  "context",
  "cluster",
  "namespace",
  "uid",
  "authorization",
] as const;

/**
 * Signs the metadata of a call in the form `siderov1`: method and routing headers, not the message.
 *
 * The verifier accepts a timestamp that differs from its clock by at most five minutes, and refuses a call whose headers are not
 * those of the payload. A call that is made again is signed again.
 *
 * @param method Full name, `/package.Service/Method`.
 */
export async function signHeaders(
  metadata: Metadata,
  method: string,
  { identity, signer, now }: { readonly identity: string; readonly signer: Signer; readonly now: Date },
): Promise<void> {
  metadata.set(timestampHeader, String(Math.floor(now.getTime() / 1000)));
  const payload = JSON.stringify({ headers: coveredValues(metadata), method });
  const signature = Buffer.from(await signer.sign(Buffer.from(payload))).toString("base64");
  metadata.set(payloadHeader, payload);
  metadata.set(signatureHeader, `siderov1 ${identity} ${signer.fingerprint} ${signature}`);
}

function coveredValues(metadata: Metadata): Readonly<Record<string, readonly string[] | null>> {
  return Object.fromEntries(
    coveredHeaders.map((header): readonly [string, readonly string[] | null] => {
      const values = metadata.getAll(header);
      return [header, values.length === 0 ? null : values];
    }),
  );
}
