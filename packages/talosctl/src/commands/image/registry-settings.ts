import { noRegistrySettings, type ImageReference, type RegistrySettings } from "@talos-ts/oci";
import type { Invocation } from "../../command.ts";
import { badFlag, flag, listOption } from "../../values.ts";

/** Returns how registries are reached, from --registry-mirror and --insecure. */
export function registrySettings(invocation: Invocation, references: readonly ImageReference[]): RegistrySettings {
  const mirrors: Record<string, RegistrySettings["mirrors"][string]> = {};
  for (const entry of listOption(invocation, "registryMirror")) {
    const [, host = "", endpoint = ""] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
    if (!URL.canParse(endpoint)) throw badFlag("registryMirror", entry, "<registry>=<URL>");
    const known = mirrors[host]?.endpoints ?? [];
    mirrors[host] = { endpoints: [...known, { endpoint, overridePath: false }], skipFallback: false };
  }
  if (!flag(invocation, "insecure")) return { ...noRegistrySettings, mirrors };
  const endpoints = Object.values(mirrors).flatMap((mirror) =>
    mirror.endpoints.map(({ endpoint }) => new URL(endpoint).host),
  );
  const hosts = [...references.map(({ registry }) => registry), "registry-1.docker.io", ...endpoints];
  const trusting = { ca: new Uint8Array(), insecureSkipVerify: true };
  return { mirrors, auths: {}, tls: Object.fromEntries(hosts.map((host) => [host, trusting])) };
}
