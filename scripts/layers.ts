/**
 * Imports that packages may have. The order is the order of the layers: a package imports only what stands above it.
 *
 * This table is the single source for the lint rule (`oxlint.config.ts`), for the TypeScript project references
 * (`scripts/tasks/generate.ts`), and for the picture in `docs/architecture.md`.
 */
export const layers = {
  base: [],
  proto: [],
  linux: ["base"],
  host: ["base", "linux"],
  http2: [],
  grpc: ["base", "proto", "host", "http2"],
  cosi: ["base", "proto", "host", "grpc"],
  crypto: ["base"],
  oci: ["base"],
  kubernetes: ["base", "crypto"],
  machinery: ["base", "proto", "host", "grpc", "cosi", "crypto", "kubernetes"],
  apid: ["base", "proto", "host", "grpc", "cosi", "crypto", "machinery"],
  trustd: ["base", "proto", "host", "grpc", "cosi", "crypto", "machinery"],
  discovery: ["base", "proto", "host", "grpc", "cosi", "crypto", "machinery"],
  machined: ["base", "proto", "linux", "host", "grpc", "cosi", "crypto", "oci", "kubernetes", "machinery"],
  imager: ["base", "host", "machinery"],
  provision: ["base", "proto", "linux", "host", "grpc", "cosi", "crypto", "kubernetes", "machinery", "imager"],
  talosctl: [
    "base",
    "proto",
    "host",
    "grpc",
    "cosi",
    "crypto",
    "oci",
    "kubernetes",
    "machinery",
    "discovery",
    "imager",
    "provision",
  ],
} as const satisfies Record<string, readonly string[]>;

export type Layer = keyof typeof layers;

/** Top-level folders outside `packages/` may import every package. */
export const leaves = ["test", "bench"] as const;

export const scope = "@talos-ts";
