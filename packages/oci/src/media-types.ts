/** Media types of the OCI image format and of the Docker format it came from. */
export const mediaTypes = {
  ociIndex: "application/vnd.oci.image.index.v1+json",
  ociManifest: "application/vnd.oci.image.manifest.v1+json",
  ociConfig: "application/vnd.oci.image.config.v1+json",
  ociLayer: "application/vnd.oci.image.layer.v1.tar",
  ociLayerGzip: "application/vnd.oci.image.layer.v1.tar+gzip",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
} as const;

const indexTypes: ReadonlySet<string> = new Set([mediaTypes.ociIndex, mediaTypes.dockerList]);
const manifestTypes: ReadonlySet<string> = new Set([mediaTypes.ociManifest, mediaTypes.dockerManifest]);

export const isIndexType = (type: string): boolean => indexTypes.has(type);
export const isManifestType = (type: string): boolean => manifestTypes.has(type);

/** Media types accepted when a reference is resolved. */
export const acceptedManifests: readonly string[] = [
  mediaTypes.dockerManifest,
  mediaTypes.dockerList,
  mediaTypes.ociManifest,
  mediaTypes.ociIndex,
  "*/*",
];
