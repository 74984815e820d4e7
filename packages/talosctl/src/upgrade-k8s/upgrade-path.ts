import { OsError } from "@talos-ts/base";

/** From one version of Kubernetes to another; without a leading `v`. */
export interface UpgradePath {
  readonly from: string;
  readonly to: string;
}

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Versions of Kubernetes that the nodes of this release run. */
const supported = { oldest: { major: 1, minor: 31 }, newest: { major: 1, minor: 36 } } as const;

/**
 * Checks versions as given: the same minor version, or the next one.
 *
 * @throws {OsError} `upgrade/bad-version`, `upgrade/unsupported-path`
 */
export function upgradePath(from: string, to: string): UpgradePath {
  const path = { from: from.replace(/^v/, ""), to: to.replace(/^v/, "") };
  const [before, after] = [parse(path.from), parse(path.to)];
  const step = after.minor - before.minor;
  if (before.major === after.major && (step === 0 || step === 1)) return path;
  throw new OsError({
    kind: "invalid-argument",
    code: "upgrade/unsupported-path",
    message: `unsupported upgrade path ${short(before)}->${short(after)} (from ${JSON.stringify(path.from)} to ${JSON.stringify(path.to)})`,
    next: `talosctl upgrade-k8s --to ${short({ ...before, minor: before.minor + (step > 1 ? 1 : 0) })}.<patch>`,
  });
}

/** @throws {OsError} `upgrade/incompatible` when a node of this Talos version does not run the version of Kubernetes. */
export function checkCompatible(node: string, talosVersion: string, kubernetesVersion: string): void {
  const version = parse(kubernetesVersion);
  const number = (value: Version): number => value.major * 1000 + value.minor;
  const old = number(version) < number(supported.oldest);
  if (!old && number(version) <= number(supported.newest)) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "upgrade/incompatible",
    message: `node ${JSON.stringify(node)}: version of Kubernetes ${kubernetesVersion} is too ${old ? "old" : "new"} to be used with Talos ${talosVersion.replace(/^v/, "")}`,
    next: `talosctl upgrade-k8s --to ${short(supported.newest)}.<patch>`,
  });
}

/** The version in the tag of an image, without `v`; `undefined` for an image with another tag or none. */
export function versionOfImage(image: string): string | undefined {
  return /:v?(\d+\.\d+\.\d+[^@/:]*)(?:@|$)/.exec(image)?.[1];
}

/** Compares versions as for sorting; suffixes such as `-rc.1` do not count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (text: string): readonly number[] => text.split(/[.+-]/, 3).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  const at = [0, 1, 2].find((index) => left[index] !== right[index]);
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

const short = ({ major, minor }: Version): string => `${String(major)}.${String(minor)}`;

function parse(text: string): Version {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text);
  if (match !== null) return { major: Number(match[1]), minor: Number(match[2]) };
  throw new OsError({
    kind: "invalid-argument",
    code: "upgrade/bad-version",
    message: `Cannot read the version of Kubernetes ${JSON.stringify(text)}: expected one such as 1.36.4`,
    next: "talosctl upgrade-k8s --help",
  });
}
