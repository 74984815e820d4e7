import {
  certificateExpiry,
  parseCertificate,
  pemFromBase64,
  pemToBase64,
  type CertificateExpiry,
  type PemPair,
} from "@talos-ts/crypto";
import { emptyConfig, emptyContext, type TalosConfig, type TalosContext } from "./model.ts";

const day = 86_400_000;
/** From here on a person is told, while there is still time to ask for another certificate with the old one. */
const warnMs = 30 * day;

/** What a connection needs, as PEM text; absent where the context does not have it. */
export interface ContextCredentials {
  readonly ca?: string;
  readonly client?: PemPair;
}

/**
 * @param name The name of the context, for errors.
 * @throws `crypto/bad-pem` for a value that is not base64.
 */
export function contextCredentials(context: TalosContext, name: string): ContextCredentials {
  const pem = (field: "ca" | "crt" | "key"): string => pemFromBase64(context[field], `contexts.${name}.${field}`);
  return {
    ...(context.ca === "" ? {} : { ca: pem("ca") }),
    ...(context.crt === "" ? {} : { client: { crt: pem("crt"), key: pem("key") } }),
  };
}

/** What a client certificate grants, and how long. */
export interface ContextCertificate extends CertificateExpiry {
  readonly roles: readonly string[];
}

/**
 * The client certificate of a context, or `undefined` if it authenticates in another way.
 *
 * @throws `crypto/bad-pem` or `crypto/bad-certificate`.
 */
export function contextCertificate(context: TalosContext, name: string, now: Date): ContextCertificate | undefined {
  const { client } = contextCredentials(context, name);
  if (client === undefined) return undefined;
  const certificate = parseCertificate(client.crt);
  const roles = certificate.subject.organizations.map((role) => role.trim()).filter((role) => role !== "");
  return { ...certificateExpiry(certificate, now, warnMs), roles: [...new Set(roles)].toSorted() };
}

const renew = "talosctl config new --roles os:admin talosconfig";

/** A line to show before a call is made with this certificate; `undefined` when there is nothing to say. */
export function expiryWarning({ stage, notAfter, remainingMs }: CertificateExpiry, name: string): string | undefined {
  const date = notAfter.toISOString().slice(0, 10);
  const days = Math.floor(remainingMs / day);
  const subject = `client certificate of context ${JSON.stringify(name)}`;
  const lines = {
    valid: undefined,
    "not-yet-valid": `${subject} is not valid yet: check the clock of this machine`,
    expiring: `${subject} expires in ${days === 1 ? "1 day" : `${days} days`} (${date}): run \`${renew}\``,
    expired: `${subject} expired on ${date}: make another with the secrets of the cluster`,
  } as const satisfies Record<CertificateExpiry["stage"], string | undefined>;
  return lines[stage];
}

/** A config with one context, for example for the administrator of a new cluster. */
export function createTalosconfig(
  name: string,
  endpoints: readonly string[],
  ca: string,
  client: PemPair,
): TalosConfig {
  const credentials = { ca: pemToBase64(ca), crt: pemToBase64(client.crt), key: pemToBase64(client.key) };
  return { ...emptyConfig, context: name, contexts: new Map([[name, { ...emptyContext, endpoints, ...credentials }]]) };
}
