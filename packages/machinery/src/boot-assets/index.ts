export {
  bootAssetPaths,
  bootMediumLabel,
  encodeManifest,
  parseManifest,
  type BootAssetName,
  type BootAsset,
  type BootManifest,
} from "./boot-assets.ts";
