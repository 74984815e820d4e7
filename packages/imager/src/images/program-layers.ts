import { rm, statfs } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { cacheKey, exists, makeFolder, type Progress } from "@talos-ts/host";
import { goToolchain } from "../go/go-toolchain.ts";
import { buildProgram } from "./build-program.ts";
import { programLayers, type Placement } from "./catalog.ts";
import { estimateSeconds, formatDuration } from "./estimate.ts";
import { openGoWorkspace, type GoWorkspace } from "./go-workspace.ts";
import { cachedLayer } from "./layer-cache.ts";
import { programKey, readModuleSources, type ModuleName, type ModuleSources } from "./module-sources.ts";
import { programEntries } from "./program-entries.ts";
import { programRecipe, type ProgramRecipe } from "./programs.ts";
import { layerCompression } from "./write-layer.ts";
import type { StoredLayer } from "./write-layout.ts";

export interface ProgramLayersOptions {
  readonly cacheRoot: string;
  /** With its `v`. @default the pinned version */
  readonly kubernetes?: string;
  readonly signal?: AbortSignal;
}

type LayerName = keyof typeof programLayers;
const layerNames = Object.keys(programLayers) as LayerName[];

/** What modules and compiled packages take while all programs are built. */
const workspaceBytes = 5 * 1024 ** 3;

/**
 * Makes the layers that are built from Go modules. Each is kept as soon as it is whole; modules and compiled packages are
 * kept until all are.
 */
export async function makeProgramLayers(
  { cacheRoot, kubernetes, ...rest }: ProgramLayersOptions,
  progress: Progress,
): Promise<Record<LayerName, StoredLayer>> {
  const directory = join(cacheRoot, "images-work");
  const modules: Readonly<Record<ModuleName, ModuleSources>> = {
    images: await readModuleSources("images", kubernetes),
    "flannel-cni": await readModuleSources("flannel-cni"),
  };
  let opened: Promise<GoWorkspace> | undefined;
  const open = async (): Promise<GoWorkspace> => {
    await requireSpace(directory);
    const toolchain = await goToolchain(cacheRoot, progress, rest);
    return openGoWorkspace({ directory, toolchain, modules, ...rest });
  };
  const planned = await Promise.all(layerNames.map((name) => planLayer(cacheRoot, name, modules)));
  const missing = planned.filter((layer) => !layer.kept).flatMap((layer) => layer.recipes);
  announce(missing, progress);

  const layers: Partial<Record<LayerName, StoredLayer>> = {};
  for (const { name, key, recipes } of planned) {
    const entries = async () => {
      const paths = new Map<string, string>();
      for (const recipe of recipes) {
        const later = missing.slice(missing.indexOf(recipe) + 1);
        const options = { directory, sources: modules[recipe.module], workspace: () => (opened ??= open()), later };
        paths.set(recipe.name, await buildProgram(recipe, options, progress));
      }
      return programEntries(programLayers[name], (program) => paths.get(program) ?? "");
    };
    layers[name] = await cachedLayer({ cacheRoot, name, key, ...rest }, entries, progress);
  }
  await rm(directory, { recursive: true, force: true });
  return layers as Record<LayerName, StoredLayer>;
}

interface PlannedLayer {
  readonly name: LayerName;
  readonly key: string;
  readonly recipes: readonly ProgramRecipe[];
  /** Whether it is in the cache; whether its bytes are right is checked when it is used. */
  readonly kept: boolean;
}

async function planLayer(
  cacheRoot: string,
  name: LayerName,
  modules: Readonly<Record<ModuleName, ModuleSources>>,
): Promise<PlannedLayer> {
  const placements: readonly Placement[] = programLayers[name];
  const recipes = placements.map(({ program }) => programRecipe(program));
  const key = cacheKey(
    JSON.stringify([placements, layerCompression]),
    ...recipes.map((recipe) => programKey(recipe, modules[recipe.module])),
  );
  return { name, key, recipes, kept: await exists(join(cacheRoot, "layers", key)) };
}

function announce(missing: readonly ProgramRecipe[], progress: Progress): void {
  if (missing.length === 0) return;
  const cores = availableParallelism();
  const time = formatDuration(estimateSeconds(missing, cores));
  const names = missing.map(({ name }) => name).join(", ");
  const detail = `no registry needed: ${names} from Go modules, about ${time} on ${String(cores)} cores, once`;
  progress({ stage: "build images", state: "step", detail });
}

/** @throws OsError `image/no-space` before hours of work end in a full disk. */
async function requireSpace(directory: string): Promise<void> {
  await makeFolder(directory, 0o755);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= workspaceBytes) return;
  const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  throw new OsError({
    kind: "resource-exhausted",
    code: "image/no-space",
    message: `Cannot build images in "${directory}": expected ${gibibytes(workspaceBytes)} free, there are ${gibibytes(bavail * bsize)}`,
    next: `df -h ${directory}, or talosctl cluster create --images none`,
  });
}
