import { createProbe, registryHosts, type ProbeRegistry } from "./probe-registries.ts";

/**
 * Sources that the nodes of a cluster can get container images from.
 *
 * - `pull`: from registries.
 * - `build`: from an image cache that is built on this machine.
 * - `none`: nowhere; the nodes run without Kubernetes.
 * - `auto`: `pull` when all registries answer within seconds, else `build`.
 */
export const imageModes = ["auto", "pull", "build", "none"] as const;
export type ImageMode = (typeof imageModes)[number];

export interface ImageChoice {
  readonly mode: Exclude<ImageMode, "auto">;
  /** Why, for a person. */
  readonly reason: string;
}

/** Decides where images come from; asks registries only when nobody else decided. */
export async function chooseImages(
  mode: ImageMode,
  references: readonly string[],
  probe: ProbeRegistry = createProbe(),
): Promise<ImageChoice> {
  if (mode !== "auto") return { mode, reason: `--images ${mode}` };
  const hosts = registryHosts(references);
  const problems = await Promise.all(hosts.map(probe));
  const silent = hosts.flatMap((host, index) => {
    const problem = problems[index];
    return problem === undefined ? [] : [`${host} ${problem}`];
  });
  if (silent.length === 0) return { mode: "pull", reason: `${hosts.join(" and ")} answer` };
  return { mode: "build", reason: silent.join(", ") };
}
