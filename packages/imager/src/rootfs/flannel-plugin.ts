import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@talos-ts/base";
import { cached, lockFile, type Progress } from "@talos-ts/host";
import { programKey } from "../images/module-sources.ts";
import { openProgramBuilder } from "../images/program-builder.ts";
import { programRecipe } from "../images/programs.ts";

export interface FlannelPluginOptions {
  readonly cacheRoot: string;
  readonly signal?: AbortSignal;
}

const lookAgainMs = 500;

/** Modules and compiled packages of this one program. */
const workspaceBytes = 512 * 1024 ** 2;

/**
 * Builds the CNI plugin of flannel, or finds the one that was built from the same pins. The manifest of flannel expects it on
 * the node, as its image does not have to bring it, and Debian has no package of it.
 *
 * @returns its path
 * @throws OsError `image/no-proxy`, `image/no-space`
 */
export async function flannelPlugin({ cacheRoot, ...rest }: FlannelPluginOptions, progress: Progress): Promise<string> {
  await using _lock = await lockFile(join(cacheRoot, "flannel-cni.lock"), async (holder) => {
    progress({ stage: "wait", state: "step", detail: `process ${String(holder)} is building a network plugin` });
    await systemClock.sleep(lookAgainMs, rest.signal);
  });
  const recipe = programRecipe("flannel-cni");
  const work = { name: "flannel-cni-work", modules: [recipe.module], workspaceBytes };
  const builder = await openProgramBuilder({ cacheRoot, ...work, ...rest }, progress);
  const key = programKey(recipe, builder.sources(recipe.module));
  const { path } = await cached(cacheRoot, "flannel-cni", key, async (scratch) => {
    const program = await builder.build(recipe, []);
    await mkdir(scratch);
    await copyFile(program, join(scratch, "flannel"));
  });
  await builder.remove();
  return join(path, "flannel");
}
