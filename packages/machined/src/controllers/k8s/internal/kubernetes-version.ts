import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";

/** Version in the tag of an image, without `v`; images with another tag or none count as the default version. */
export function versionOfImage(image: string): string {
  const tag = /:v?(\d+\.\d+\.\d+[^@/:]*)(?:@|$)/.exec(image)?.[1];
  return tag ?? defaultKubernetesVersion;
}

/** Negative, zero or positive, as for sorting; suffixes such as `-rc.1` do not count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string): readonly number[] => version.split(/[.+-]/, 3).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
