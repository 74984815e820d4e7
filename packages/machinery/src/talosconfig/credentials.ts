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
/** Latest remaining time at which a person is warned, while the certificate can still be used to issue another. */
const maxWarnMs = 30 * day;
/** Share of the lifetime that is left when the warning starts, so that a certificate made for a day does not warn all day. */
const warnShare = 0.1;

/** Describes what a connection needs, as PEM text; absent where the context does not have it. */
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

/** Describes what a client certificate grants, and how long. */
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
  const warnMs = Math.min(maxWarnMs, (certificate.notAfter.getTime() - certificate.notBefore.getTime()) * warnShare);
  const roles = certificate.subject.organizations.map((role) => role.trim()).filter((role) => role !== "");
  return { ...certificateExpiry(certificate, now, warnMs), roles: [...new Set(roles)].toSorted() };
}

const hour = 3_600_000;

/** Formats the remaining time in the largest unit of which there is at least one. */
function remaining(ms: number): string {
  const units = [
    ["day", day],
    ["hour", hour],
    ["minute", 60_000],
  ] as const;
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ["minute", 60_000];
  const count = Math.floor(ms / size);
  return `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
}

/** The way to a successor: only an administrator may issue certificates. */
function renewal(roles: readonly string[]): string {
  if (!roles.includes("os:admin")) return "ask an administrator of the cluster for another";
  return "run `talosctl config new --roles os:admin talosconfig`";
}

/** Describes a certificate that is about to end, before a call is made with it; `undefined` when there is nothing to say. */
export function expiryWarning(
  { stage, notAfter, remainingMs, roles }: ContextCertificate,
  name: string,
): string | undefined {
  const date = notAfter.toISOString().slice(0, 10);
  const subject = `client certificate of context ${JSON.stringify(name)}`;
  const lines = {
    valid: undefined,
    "not-yet-valid": `${subject} is not valid yet: check the clock of this machine`,
    expiring: `${subject} expires in ${remaining(remainingMs)} (${date}): ${renewal(roles)}`,
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
