import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { makeFolder, type Progress } from "@talos-ts/host";
import { goToolchain } from "../go/go-toolchain.ts";
import { buildProgram } from "./build-program.ts";
import { openGoWorkspace, type GoWorkspace } from "./go-workspace.ts";
import { readModuleSources, type ModuleName, type ModuleSources } from "./module-sources.ts";
import type { ProgramRecipe } from "./programs.ts";

export interface ProgramBuilderOptions {
  readonly cacheRoot: string;
  /** Name of its folder in the cache, by which an interrupted build finds what it had. */
  readonly name: string;
  /** Modules of ours that programs are built from. */
  readonly modules: readonly ModuleName[];
  /** With its `v`. @default the pinned version */
  readonly kubernetes?: string;
  /** Space that has to be free before anything is built. @default what all images take, 5 GiB */
  readonly workspaceBytes?: number;
  readonly signal?: AbortSignal;
}

/** Builds programs; modules and compiled packages are kept until they are removed. */
export interface ProgramBuilder {
  sources(module: ModuleName): ModuleSources;
  /** @param later What is built after it, for the estimate of the time that is left. @returns its path */
  build(recipe: ProgramRecipe, later: readonly ProgramRecipe[]): Promise<string>;
  /** Finds the folder with the files of a module that programs are built from. */
  moduleFolder(module: ModuleName, path: string): Promise<string>;
  /** Removes everything but what was taken elsewhere. */
  remove(): Promise<void>;
}

/** Space that modules and compiled packages take while all programs are built. */
const imagesBytes = 5 * 1024 ** 3;

export async function openProgramBuilder(
  { cacheRoot, name, modules: names, kubernetes, workspaceBytes = imagesBytes, ...rest }: ProgramBuilderOptions,
  progress: Progress,
): Promise<ProgramBuilder> {
  const directory = join(cacheRoot, name);
  const read = names.map(async (module) => [module, await readModuleSources(module, kubernetes)] as const);
  const modules = new Map(await Promise.all(read));
  let opened: Promise<GoWorkspace> | undefined;
  const open = async (): Promise<GoWorkspace> => {
    await requireSpace(directory, workspaceBytes);
    const toolchain = await goToolchain(cacheRoot, progress, rest);
    return openGoWorkspace({ directory, toolchain, modules, ...rest });
  };
  const workspace = (): Promise<GoWorkspace> => (opened ??= open());
  const sources = (module: ModuleName): ModuleSources => {
    const found = modules.get(module);
    if (found === undefined) throw new RangeError(`the module ${module} was not asked for`);
    return found;
  };
  return {
    sources,
    build: (recipe, later) =>
      buildProgram(recipe, { directory, sources: sources(recipe.module), workspace, later }, progress),
    async moduleFolder(module, path) {
      const { stdout } = await (await workspace()).go(module, ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", path]);
      return stdout.trim();
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** @throws OsError `image/no-space` before hours of work end in a full disk. */
async function requireSpace(directory: string, wanted: number): Promise<void> {
  await makeFolder(directory, 0o755);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= wanted) return;
  const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  throw new OsError({
    kind: "resource-exhausted",
    code: "image/no-space",
    message: `Cannot build images in "${directory}": expected ${gibibytes(wanted)} free, there are ${gibibytes(bavail * bsize)}`,
    next: `df -h ${directory}, or talosctl cluster create --images none`,
  });
}
