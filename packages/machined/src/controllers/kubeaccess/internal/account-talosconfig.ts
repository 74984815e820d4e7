import { isDeepStrictEqual } from "node:util";
import { parseCertificate, type PemPair } from "@talos-ts/crypto";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import {
  contextCredentials,
  createTalosconfig,
  decodeTalosconfig,
  encodeTalosconfig,
  resolveContext,
} from "@talos-ts/machinery/talosconfig";
import { talosService } from "./talos-service.ts";

/** Lifetime of the certificate of a pod, and the rest of it at which it is renewed, in ms. */
const lifetimeMs = 6 * 3_600_000;
const renewMs = 3_600_000;

const context = "default";
const endpoint = `${talosService.name}.${talosService.namespace}`;

/** Issues a client configuration for a pod, with these roles. */
export async function issueTalosconfig(authority: PemPair, roles: readonly string[], now: Date): Promise<string> {
  const client = await issueLeaf("talosconfig", authority, { roles }, { now, lifetimeMs });
  return encodeTalosconfig(createTalosconfig(context, [endpoint], authority.crt, client));
}

/** Reports whether a client configuration grants these roles by this authority, and for long enough. */
export function isCurrent(text: string, authority: PemPair, roles: readonly string[], now: Date): boolean {
  try {
    const config = decodeTalosconfig(text);
    const present = resolveContext(config);
    const { ca, client } = contextCredentials(present, config.context);
    if (client === undefined || ca !== authority.crt || !isDeepStrictEqual(present.endpoints, [endpoint])) return false;
    const { notAfter, subject } = parseCertificate(client.crt);
    const restMs = notAfter.getTime() - now.getTime();
    // More rest than a lifetime: issued by a clock that was ahead, or by somebody else.
    if (restMs < renewMs || restMs > lifetimeMs) return false;
    return isDeepStrictEqual(new Set(subject.organizations), new Set(roles));
  } catch {
    return false;
  }
}
