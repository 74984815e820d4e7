import { imageNames, type ImageName } from "@talos-ts/imager";
import { defaultImage } from "@talos-ts/machinery/config";

/**
 * References of the images that a cluster of this version runs.
 *
 * @param version With or without its `v`. @default the version this system is made for
 */
export function imageReferences(version?: string): Readonly<Record<ImageName, string>> {
  const entries = imageNames.map((name) => [name, defaultImage(name, version?.replace(/^v/, ""))]);
  return Object.fromEntries(entries) as Record<ImageName, string>;
}

/** `1.36.4` and `v1.36.4` as `v1.36.4`. */
export function kubernetesTag(version: string): string {
  return `v${version.replace(/^v/, "")}`;
}
