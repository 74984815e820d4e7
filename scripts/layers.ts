/**
 * Who may import whom. The order is the order of the layers: a package imports only what stands above it.
 *
 * This table is the single source for the lint rule (`oxlint.config.ts`), for the TypeScript project references
 * (`scripts/tasks/generate.ts`), and for the picture in `docs/architecture.md`.
 */
export const layers = {
  base: [],
  proto: [],
  grpc: ["base", "proto"],
  cosi: ["base", "proto", "grpc"],
  crypto: ["base"],
  machinery: ["base", "proto", "grpc", "cosi", "crypto"],
  linux: ["base"],
  apid: ["base", "proto", "grpc", "cosi", "crypto", "machinery", "linux"],
  trustd: ["base", "proto", "grpc", "cosi", "crypto", "machinery", "linux"],
  discovery: ["base", "proto", "grpc", "cosi", "crypto", "machinery"],
  machined: ["base", "proto", "grpc", "cosi", "crypto", "machinery", "linux"],
  imager: ["base", "linux"],
  provision: ["base", "proto", "grpc", "cosi", "crypto", "machinery", "linux", "imager"],
  talosctl: ["base", "proto", "grpc", "cosi", "crypto", "machinery", "linux", "imager", "provision"],
} as const satisfies Record<string, readonly string[]>;

export type Layer = keyof typeof layers;

/** Top-level folders outside `packages/` may import every package. */
export const leaves = ["test", "bench"] as const;

export const scope = "@talos-ts";
