import { isCode, OsError } from "@talos-ts/base";

/** Versions that a message names. */
const suggested = 3;

/**
 * Adds the nearest versions of Kubernetes that the module proxy serves to an error that says it refuses one; other errors are
 * returned as they are. A list that cannot be had leaves the error without them.
 *
 * @param served Lists versions of Kubernetes, with their `v`.
 */
export async function suggestVersion(failure: unknown, served: () => Promise<readonly string[]>): Promise<unknown> {
  if (!isCode(failure, "image/module-refused")) return failure;
  // The modules that are released with Kubernetes have its number with a 0 in front.
  const [, major, rest = ""] = /k8s\.io\/\S+@v([01])\.(\d+\.\d+)/.exec(failure.message) ?? [];
  if (major === undefined) return failure;
  const near = nearestVersions(await served().catch(() => []), `v1.${rest}`);
  const [first, ...others] = near.map((version) => version.slice(1));
  if (first === undefined) return failure;
  const also = others.length === 0 ? "" : ` (or ${others.join(", ")})`;
  return new OsError({
    kind: failure.kind,
    code: failure.code,
    message: failure.message,
    next: `talosctl cluster create --kubernetes-version ${first}${also}, or --images pull`,
    cause: failure.cause,
  });
}

/** Returns released versions of the same minor version, nearest first; those of other minor versions when it has none. */
export function nearestVersions(served: readonly string[], wanted: string): readonly string[] {
  const [, minor = 0, patch = 0] = numbers(wanted) ?? [];
  const distance = (version: string): number => {
    const [, otherMinor = 0, otherPatch = 0] = numbers(version) ?? [];
    // A later version is the better neighbour.
    const apart = (own: number, other: number): number => Math.abs(own - other) - (other > own ? 0.5 : 0);
    return otherMinor === minor ? apart(patch, otherPatch) : 1000 * (1 + apart(minor, otherMinor)) - otherPatch;
  };
  const others = served.filter((version) => version !== wanted && numbers(version) !== undefined);
  const same = others.filter((version) => numbers(version)?.[1] === minor);
  return (same.length > 0 ? same : others)
    .toSorted((left, right) => distance(left) - distance(right))
    .slice(0, suggested);
}

function numbers(version: string): readonly number[] | undefined {
  return /^v(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
}
