import { OsError } from "@talos-ts/base";
import type { Descriptor, Platform } from "./manifest.ts";

/** Names of processors as images have them. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64", ia32: "386", arm: "arm" };

/** The platform this program runs on. */
export function hostPlatform(): Platform {
  return { os: "linux", architecture: architectures[process.arch] ?? process.arch };
}

/**
 * Chooses the manifest for a platform from an index: the same system and processor; of several variants the one named, else the
 * first. An entry that names no platform fits any, if nothing fits better.
 *
 * @throws not-found
 */
export function selectManifest(manifests: readonly Descriptor[], wanted: Platform): Descriptor {
  const fitting = manifests.filter(
    ({ platform }) => platform?.os === wanted.os && platform.architecture === wanted.architecture,
  );
  const exact = fitting.find(({ platform }) => platform?.variant === wanted.variant);
  const chosen = exact ?? fitting[0] ?? manifests.find(({ platform }) => platform === undefined);
  if (chosen !== undefined) return chosen;
  const found = manifests.map(({ platform }) => describePlatform(platform)).join(", ");
  throw new OsError({
    kind: "not-found",
    code: "image/no-platform",
    message: `no match for platform in manifest: expected ${describePlatform(wanted)}, found ${found === "" ? "none" : found}`,
  });
}

function describePlatform(platform: Platform | undefined): string {
  if (platform === undefined) return "any";
  const { os, architecture, variant } = platform;
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
}
