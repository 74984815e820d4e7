import type { RawResource } from "@talos-ts/machinery/client/resources";
import { parse } from "yaml";

const machineConfigType = "MachineConfigs.config.talos.dev";

/**
 * Older nodes write a machine configuration as the documents it has, not as a text that holds them; those of today mark
 * theirs with an annotation.
 */
export function isBareConfig({ metadata }: RawResource): boolean {
  return metadata.type === machineConfigType && Object.keys(metadata.annotations).length === 0;
}

/** The value of a spec. */
export function plainSpec(resource: RawResource): unknown {
  const { yaml } = resource.spec;
  return isBareConfig(resource) ? yaml : (parse(yaml, { logLevel: "silent" }) as unknown);
}

/** Returns what metadata shows, in order. */
export function plainMetadata({ metadata }: RawResource): Readonly<Record<string, unknown>> {
  const { labels, annotations, finalizers } = metadata;
  return {
    namespace: metadata.namespace,
    type: metadata.type,
    id: metadata.id,
    version: metadata.version === 0 ? "undefined" : metadata.version,
    owner: metadata.owner === "" ? null : metadata.owner,
    phase: metadata.phase,
    created: seconds(metadata.created),
    updated: seconds(metadata.updated),
    ...(Object.keys(labels).length > 0 && { labels: sortedEntries(labels) }),
    ...(Object.keys(annotations).length > 0 && { annotations: sortedEntries(annotations) }),
    ...(finalizers.length > 0 && { finalizers }),
  };
}

function seconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

function sortedEntries(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
