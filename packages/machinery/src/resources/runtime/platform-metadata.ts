import { bool, defineResource, map, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** Metadata of the machine from its platform. */
export const PlatformMetadata = defineResource({
  type: "PlatformMetadatas.talos.dev",
  namespace: "runtime",
  columns: [
    ["Platform", "{.platform}"],
    ["Type", "{.instanceType}"],
    ["Region", "{.region}"],
    ["Zone", "{.zone}"],
  ],
  id: "platformmetadata",
  spec: {
    platform: omitEmpty(1, text),
    hostname: omitEmpty(2, text),
    region: omitEmpty(3, text),
    zone: omitEmpty(4, text),
    instanceType: omitEmpty(5, text),
    instanceId: omitEmpty(6, text),
    providerId: omitEmpty(7, text),
    spot: omitEmpty(8, bool),
    internalDNS: omitEmpty(9, text),
    externalDNS: omitEmpty(10, text),
    tags: omitEmpty(11, map(text)),
  },
});

export type PlatformMetadataSpec = SpecOf<typeof PlatformMetadata>;
