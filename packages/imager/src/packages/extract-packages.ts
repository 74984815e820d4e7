import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AptWorkspace } from "./apt-workspace.ts";
import { type Progress, runTool } from "@talos-ts/host";
import type { PinnedPackage } from "./resolve-packages.ts";

/** Unpacks the files of packages into a folder; maintainer scripts do not run. */
export async function extractPackages(
  apt: AptWorkspace,
  packages: readonly PinnedPackage[],
  directory: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [index, pinned] of packages.entries()) {
    progress({
      stage: "unpack packages",
      state: "step",
      detail: pinned.name,
      done: index + 1,
      total: packages.length,
    });
    const options = signal === undefined ? {} : { signal };
    await runTool("dpkg-deb", ["-x", join(apt.archives, pinned.file), directory], options);
  }
}
