import { networkInterfaces } from "node:os";
import { hostPort } from "@talos-ts/base";
import { stringify } from "yaml";

/** Describes a registry that serves an image cache. */
export interface ServedCache {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Addresses that mean all of a machine. */
const anyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Writes the patch by which nodes ask a cache before the registries that are named. */
export function mirrorPatch(mirrors: readonly string[], cache: ServedCache): string {
  const endpoints = addressesOf(cache.host).map((address) => ({
    url: `${cache.secure ? "https" : "http"}://${hostPort(address, cache.port)}`,
  }));
  return mirrors
    .map((name) => stringify({ apiVersion: "v1alpha1", kind: "RegistryMirrorConfig", name, endpoints }))
    .join("---\n");
}

/** Addresses by which nodes may reach a listener: all of this machine but those of the loopback, unless it names one. */
function addressesOf(host: string): readonly string[] {
  if (!anyAddress.has(host)) return [host];
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
      .map(({ address }) => address),
  );
}
