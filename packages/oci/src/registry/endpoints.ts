import type { ImageReference } from "../reference.ts";
import { isLoopback } from "./loopback.ts";
import type { RegistrySettings } from "./settings.ts";

/** One place to ask for an image. */
export interface Endpoint {
  /** Up to and including `/v2` (or the path that replaces it), without a final slash. */
  readonly base: string;
  /** Host with port, by which credentials and TLS settings are looked up. */
  readonly host: string;
  /** The registry that a mirror stands in for, sent as `ns`; absent when it is the registry itself. */
  readonly namespace?: string;
}

/** Address of the registry of a name. */
const realHosts: Readonly<Record<string, string>> = { "docker.io": "registry-1.docker.io" };

/** Lists whom to ask for an image, in order: the mirrors of its registry, or those of every other one, then the registry itself. */
export function endpointsOf(reference: ImageReference, settings: RegistrySettings): readonly Endpoint[] {
  const { registry } = reference;
  const mirror = settings.mirrors[registry] ?? settings.mirrors["*"];
  const itself = realHosts[registry] ?? registry;
  const mirrors = (mirror?.endpoints ?? []).map(({ endpoint, overridePath }): Endpoint => {
    const { host, origin, pathname } = new URL(endpoint);
    const path = pathname.replace(/\/+$/, "");
    const base = overridePath || path.endsWith("/v2") ? `${origin}${path}` : `${origin}${path}/v2`;
    return host === itself ? { base, host } : { base, host, namespace: registry };
  });
  const isSkipped = mirror?.skipFallback === true && mirrors.length > 0;
  return isSkipped ? mirrors : [...mirrors, { base: `${schemeOf(itself)}://${itself}/v2`, host: itself }];
}

/** A registry on this machine is asked without TLS, as every container tool does. */
function schemeOf(host: string): "http" | "https" {
  return isLoopback(host.replace(/:\d+$/, "")) && !host.endsWith(":443") ? "http" : "https";
}
