// For building images.
export { systemDaemons, type Daemon } from "./daemons.ts";
export { buildRootfs, unpackRootfs, type BuildRootfsOptions, type Rootfs, type RootfsSizes } from "./build-rootfs.ts";
export { findRootfs } from "./find-rootfs.ts";
export type { PinnedPackage } from "./resolve-packages.ts";
export { inStage, silent, type Progress, type ProgressEvent } from "./progress.ts";

// For packages that work on the host as this one does.
export { cacheDirectory } from "./cache.ts";
export { lockFile } from "./file-lock.ts";
export { baseEnvironment, runTool, type ToolOptions, type ToolResult } from "./run-tool.ts";
