import { pemToBase64 } from "@talos-ts/crypto";
import { makeDocument, type ConfigDocument } from "../config.ts";
import { registryMirrorConfig } from "../documents/registry-mirror-config.ts";
import { registryTlsConfig } from "../documents/registry-tls-config.ts";
import type { MachineSection } from "../documents/v1alpha1/config.ts";
import type { GenerateContext } from "./generate.ts";
import { compact } from "./compact.ts";

const meta = { apiVersion: "v1alpha1" } as const;

function sortedHosts(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].toSorted();
}

/** Registry settings as documents of their own. */
export function registryDocuments({ options, has }: GenerateContext): readonly ConfigDocument[] {
  if (!has("networkDocuments")) return [];
  const { registryMirrors: mirrors = {}, registryCaCerts: certs = {}, registryInsecure: insecure = [] } = options;
  return [
    ...sortedHosts(Object.keys(mirrors)).map((name) =>
      makeDocument(registryMirrorConfig, {
        ...meta,
        kind: "RegistryMirrorConfig",
        name,
        endpoints: (mirrors[name] ?? []).map((url) => ({ url })),
      }),
    ),
    ...sortedHosts(Object.keys(certs), insecure).map((name) =>
      makeDocument(
        registryTlsConfig,
        compact({
          ...meta,
          kind: "RegistryTLSConfig",
          name,
          ca: certs[name],
          insecureSkipVerify: insecure.includes(name) || undefined,
        }),
      ),
    ),
  ];
}

/** The mirrors Kubernetes images needed while they moved. */
const movedImages = { "k8s.gcr.io": { endpoints: ["https://registry.k8s.io", "https://k8s.gcr.io"] } };

/** `machine.registries` for versions without the documents. */
export function legacyRegistries({ options, has }: GenerateContext): MachineSection["registries"] {
  if (has("networkDocuments")) return undefined;
  const { registryMirrors = {}, registryCaCerts: certs = {}, registryInsecure: insecure = [] } = options;
  const mirrors = {
    ...(has("alternateImageRegistries") ? movedImages : {}),
    ...Object.fromEntries(Object.entries(registryMirrors).map(([host, endpoints]) => [host, { endpoints }])),
  };
  const config = Object.fromEntries(
    sortedHosts(Object.keys(certs), insecure).map((host) => {
      const ca = certs[host];
      return [
        host,
        {
          tls: compact({
            ca: ca === undefined ? undefined : pemToBase64(ca),
            insecureSkipVerify: insecure.includes(host) || undefined,
          }),
        },
      ];
    }),
  );
  const isEmpty = Object.keys(mirrors).length === 0 && Object.keys(config).length === 0;
  return isEmpty ? undefined : { mirrors, config };
}
