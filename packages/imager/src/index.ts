export { systemDaemons, type Daemon } from "./daemons.ts";
export { buildRootfs, unpackRootfs, type BuildRootfsOptions, type Rootfs, type RootfsSizes } from "./build-rootfs.ts";
export { findRootfs } from "./find-rootfs.ts";
export type { PinnedPackage } from "./resolve-packages.ts";
export { goToolchain, type GoToolchain, type GoToolchainOptions } from "./go/go-toolchain.ts";
export { buildImages, type BuildImagesOptions, type BuiltImages } from "./images/build-images.ts";
export { imageNames, type ImageName } from "./images/catalog.ts";
export { verifyLayout, type VerifiedLayout } from "./images/verify-layout.ts";
