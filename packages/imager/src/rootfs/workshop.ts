import { join } from "node:path";
import { cacheDirectory, type Progress } from "@talos-ts/host";
import { currentArchitecture, type Architecture } from "../architecture.ts";
import { openAptWorkspace, type AptWorkspace } from "../packages/apt-workspace.ts";
import { suite } from "./image-contents.ts";
import { openToolset, type Toolset } from "./toolset.ts";

/** Tools and packages that images are made with. */
export interface Workshop {
  readonly architecture: Architecture;
  readonly apt: AptWorkspace;
  readonly tools: Toolset;
}

/** Opens the private apt of the image's release and the tools from it. */
export async function openWorkshop(
  options: { readonly cacheRoot?: string; readonly refresh?: boolean; readonly signal?: AbortSignal },
  progress: Progress,
): Promise<Workshop> {
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  const architecture = currentArchitecture();
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const directory = join(cacheRoot, "apt", `${suite}-${architecture.debian}`);
  const apt = await openAptWorkspace({ directory, suite, architecture: architecture.debian, ...signal });
  const refresh = options.refresh ?? false;
  const tools = await openToolset({ apt, cacheRoot, architecture, refresh, ...signal }, progress);
  return { architecture, apt, tools };
}
