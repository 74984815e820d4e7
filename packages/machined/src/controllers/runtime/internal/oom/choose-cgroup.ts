import type { TextFiles } from "@talos-ts/linux";
import { cgroupClasses, type CgroupClass, type OOMCgroup } from "@talos-ts/machinery/resources/cel";
import { readSize } from "./read-size.ts";

/** Folders whose control groups may be ended, by class; guaranteed pods lie beside the folders of the others. */
const folders: readonly { readonly path: string; readonly class: CgroupClass; readonly member?: RegExp }[] = [
  { path: "/kubepods/besteffort", class: "Besteffort" },
  { path: "/kubepods/burstable", class: "Burstable" },
  { path: "/kubepods/guaranteed", class: "Guaranteed" },
  { path: "/kubepods", class: "Guaranteed", member: /^pod/ },
  { path: "/podruntime", class: "Podruntime" },
  { path: "/system", class: "System" },
];

/** Control groups that may be ended. */
export async function listCgroups(
  files: Pick<TextFiles, "list" | "read">,
  cgroupRoot: string,
): Promise<readonly OOMCgroup[]> {
  const found: OOMCgroup[] = [];
  for (const { path: folder, class: of, member } of folders) {
    for (const name of await namesIn(files, `${cgroupRoot}${folder}`)) {
      const path = `${cgroupRoot}${folder}/${name}`;
      // Files of the folder itself have no members.
      if (member?.test(name) === false || !(await namesIn(files, path)).includes("cgroup.procs")) continue;
      const size = (file: string): Promise<number | undefined> => readSize(files, `${path}/${file}`);
      const [memoryCurrent, memoryPeak] = [await size("memory.current"), await size("memory.peak")];
      found.push({ class: of, path, memoryCurrent, memoryPeak, memoryMax: await size("memory.max") });
    }
  }
  return found;
}

/** A control group to end, and its rank. */
export interface Choice {
  readonly cgroup: OOMCgroup;
  readonly score: number;
}

/**
 * Chooses the control group with the highest rank above 0.
 *
 * @param strict Looks only at the least important class that has one.
 */
export function chooseCgroup(
  cgroups: readonly OOMCgroup[],
  rank: (cgroup: OOMCgroup) => number,
  strict: boolean,
): Choice | undefined {
  const ranked = cgroups.map((cgroup) => ({ cgroup, score: rank(cgroup) })).filter(({ score }) => score > 0);
  const least = Math.min(...ranked.map(({ cgroup }) => cgroupClasses[cgroup.class]));
  const candidates = strict ? ranked.filter(({ cgroup }) => cgroupClasses[cgroup.class] === least) : ranked;
  return candidates.toSorted((a, b) => b.score - a.score)[0];
}

async function namesIn(files: Pick<TextFiles, "list">, path: string): Promise<readonly string[]> {
  return await files.list(path).catch(() => []);
}
