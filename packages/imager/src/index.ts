export { systemDaemons, type Daemon } from "./daemons.ts";
export {
  buildRootfs,
  unpackRootfs,
  type BuildRootfsOptions,
  type Rootfs,
  type RootfsSizes,
} from "./rootfs/build-rootfs.ts";
export { buildBootImage, type AssetFile, type BootImage, type BootImageOptions } from "./boot/boot-image.ts";
export { buildBootMedium, type BootMediumOptions } from "./boot/boot-medium.ts";
export { buildInstallerImage, type InstallerImageOptions } from "./boot/installer-image.ts";
export { buildFirmware, type Firmware, type FirmwareOptions } from "./boot/firmware.ts";
export { importRootfs } from "./rootfs/import-rootfs.ts";
export { findRootfs } from "./rootfs/find-rootfs.ts";
export type { PinnedPackage } from "./packages/resolve-packages.ts";
export { buildDefinitions, readBuildInfo } from "./bundles/build-info.ts";
export { dynamicCommonJs } from "./bundles/dynamic-imports.ts";
export { goToolchain, type GoToolchain, type GoToolchainOptions } from "./go/go-toolchain.ts";
export { buildImages, type BuildImagesOptions, type BuiltImages } from "./images/build-images.ts";
export { buildConformance } from "./images/conformance/build-conformance.ts";
export { imageNames, type ImageName } from "./images/catalog.ts";
export { writeTar } from "./images/write-tar.ts";
export type { TarEntry } from "./images/tar-entry.ts";
export { verifyLayout, type VerifiedLayout } from "./images/verify-layout.ts";

// For programs that take packages from the archive of the host, as images do.
export { hostAcquire, hostArchive } from "./packages/apt-workspace.ts";
export type { AptSource } from "./packages/apt-source.ts";
