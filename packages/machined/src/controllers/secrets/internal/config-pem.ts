import { pemFromBase64 } from "@talos-ts/crypto";
import type { Certificate, CertificateAndKey } from "@talos-ts/machinery/resources/values";

/** A certificate with its key as the configuration has them: PEM in base64, the key missing where it is not needed. */
interface ConfigPair {
  readonly crt?: string | undefined;
  readonly key?: string | undefined;
}

/** `path` names the value in errors, as in `machine.ca`. */
export function pairFromConfig(pair: ConfigPair | undefined, path: string): CertificateAndKey | undefined {
  if (pair === undefined) return undefined;
  return { crt: pemFromBase64(pair.crt ?? "", `${path}.crt`), key: pemFromBase64(pair.key ?? "", `${path}.key`) };
}

/** Returns the issuing CA of a machine and its trusted CAs: the accepted ones, then the issuing one. */
export function authoritiesFromConfig(
  ca: ConfigPair | undefined,
  accepted: readonly { readonly crt?: string | undefined }[] | undefined,
  path: string,
): { readonly issuingCA: CertificateAndKey | undefined; readonly acceptedCAs: readonly Certificate[] } {
  const issuing = pairFromConfig(ca, `${path}.ca`);
  const acceptedCAs = (accepted ?? []).map(({ crt = "" }) => ({ crt: pemFromBase64(crt, `${path}.acceptedCAs`) }));
  return {
    // Workers have the certificate of the authority but not its key: they trust it, but cannot sign.
    issuingCA: issuing === undefined || issuing.key === "" ? undefined : issuing,
    acceptedCAs: issuing === undefined ? acceptedCAs : [...acceptedCAs, { crt: issuing.crt }],
  };
}
