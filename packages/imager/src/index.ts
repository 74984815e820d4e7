export { systemDaemons, type Daemon } from "./daemons.ts";
export { buildRootfs, unpackRootfs, type BuildRootfsOptions, type Rootfs, type RootfsSizes } from "./build-rootfs.ts";
export { findRootfs } from "./find-rootfs.ts";
export type { PinnedPackage } from "./resolve-packages.ts";
export { goToolchain, type GoToolchain, type GoToolchainOptions } from "./go/go-toolchain.ts";
