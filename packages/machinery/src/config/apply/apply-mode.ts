/** Tells changes of a configuration that a running machine takes over at once from those that need a reboot. */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config.ts";

/**
 * Paths of the main document that are applied at once; everything else in it needs a reboot. Other documents are always
 * applied at once.
 */
export const immediatePaths: readonly string[] = [
  "debug",
  "cluster",
  "machine.ca",
  "machine.acceptedCAs",
  "machine.time",
  "machine.certSANs",
  "machine.install",
  "machine.network",
  "machine.sysfs",
  "machine.sysctls",
  "machine.logging",
  "machine.controlPlane",
  "machine.kubelet",
  "machine.kernel",
  "machine.registries",
  "machine.pods",
  "machine.seccompProfiles",
  "machine.nodeAnnotations",
  "machine.nodeLabels",
  "machine.nodeTaints",
  "machine.features.kubernetesTalosAPIAccess",
  "machine.features.kubePrism",
  "machine.features.hostDNS",
  "machine.features.imageCache",
  "machine.features.nodeAddressSortAlgorithm",
];

const immediate = new Set(immediatePaths);

/** Sections that are looked into; a section that appears or disappears as a whole needs a reboot. */
const sections = new Set(["machine", "machine.features"]);

/** Changed paths that need a reboot, in the order they are written. */
export function rebootPaths(oldConfig: Config, newConfig: Config): readonly string[] {
  return changedPaths("", oldConfig.main ?? {}, newConfig.main ?? {});
}

function changedPaths(prefix: string, left: object, right: object): readonly string[] {
  const [before, after] = [left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    const [old, value] = [before[key], after[key]];
    if (immediate.has(path) || isDeepStrictEqual(old, value)) return [];
    if (sections.has(path) && isObject(old) && isObject(value)) return changedPaths(path, old, value);
    return [path];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
