export { chainIds } from "./chain-id.ts";
export { checkDigest, digestOf, isDigest, splitDigest, verified } from "./digest.ts";
export { parseImageConfig, type ImageConfig } from "./image-config.ts";
export {
  guessMediaType,
  maxManifestBytes,
  parseManifest,
  type Descriptor,
  type ImageIndex,
  type ImageManifest,
  type Platform,
} from "./manifest.ts";
export { isIndexType, isManifestType, mediaTypes } from "./media-types.ts";
export { hostPlatform, selectManifest } from "./platform.ts";
export { formatReference, parseReference, withDigest, type ImageReference } from "./reference.ts";
export { readImageFile } from "./read-image-file.ts";
export { createRegistryClient, type RegistryClientOptions } from "./registry/client.ts";
export {
  noRegistrySettings,
  type RegistryCredentials,
  type RegistryMirror,
  type RegistrySettings,
  type RegistryTls,
} from "./registry/settings.ts";
export type { BlobOptions, ImageSource, ResolvedImage } from "./source.ts";
export { openLayout, referenceAnnotation, type ImageLayout } from "./layout/layout.ts";
export { createRegistryServer, listen, type RegistryServerOptions } from "./server/registry-server.ts";
export { cachedSource } from "./layout/cached-source.ts";
export { copyImage, copySignatures, type CopyImageOptions } from "./layout/copy-image.ts";
export { openFlatWriter } from "./layout/flat-writer.ts";
export { openLayoutWriter, type LayoutWriter } from "./layout/writer.ts";
export { parseSignatureKey, type SignatureKey } from "./signatures/signature-key.ts";
export { verifySignature, type VerifySignatureOptions } from "./signatures/verify-signature.ts";
