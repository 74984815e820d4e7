import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cacheKey, exists, type Progress } from "@talos-ts/host";
import type { Placement } from "./catalog.ts";
import { estimateSeconds, formatEstimate } from "./estimate.ts";
import { cachedLayer } from "./layer-cache.ts";
import { programKey } from "./module-sources.ts";
import type { ProgramBuilder } from "./program-builder.ts";
import { programEntries } from "./program-entries.ts";
import { programRecipe, type ProgramRecipe } from "./programs.ts";
import type { TarEntry } from "./tar-entry.ts";
import { layerCompression } from "./write-layer.ts";
import type { StoredLayer } from "./write-layout.ts";

export interface ProgramLayersOptions<Name extends string> {
  readonly cacheRoot: string;
  readonly builder: ProgramBuilder;
  readonly layers: Readonly<Record<Name, readonly Placement[]>>;
  /** More entries of a layer, made when it is. Their content has to follow from the pins of the programs. */
  readonly more?: Partial<Record<Name, () => Promise<readonly TarEntry[]>>>;
  /** Programs that are built after all layers, for estimates. */
  readonly later?: readonly ProgramRecipe[];
  readonly signal?: AbortSignal;
}

/** Makes the layers that are built from Go modules. Each is kept as soon as it is whole. */
export async function makeProgramLayers<Name extends string>(
  { cacheRoot, builder, layers, more = {}, later: after = [], ...rest }: ProgramLayersOptions<Name>,
  progress: Progress,
): Promise<Record<Name, StoredLayer>> {
  const names = Object.keys(layers) as Name[];
  const planned = await Promise.all(names.map((name) => planLayer(cacheRoot, name, layers[name], builder)));
  const missing = [...planned.filter((layer) => !layer.kept).flatMap((layer) => layer.recipes), ...after];
  announce(missing, progress);

  const made: Partial<Record<Name, StoredLayer>> = {};
  for (const { name, key, recipes } of planned) {
    const entries = async () => {
      const paths = new Map<string, string>();
      for (const recipe of recipes) {
        paths.set(recipe.name, await builder.build(recipe, missing.slice(missing.indexOf(recipe) + 1)));
      }
      const programs = await programEntries(layers[name], (program) => paths.get(program) ?? "");
      return [...programs, ...((await more[name]?.()) ?? [])];
    };
    made[name] = await cachedLayer({ cacheRoot, name, key, ...rest }, entries, progress);
  }
  return made as Record<Name, StoredLayer>;
}

interface PlannedLayer<Name> {
  readonly name: Name;
  readonly key: string;
  readonly recipes: readonly ProgramRecipe[];
  /** True when it is in the cache; whether its bytes are right is checked when it is used. */
  readonly kept: boolean;
}

async function planLayer<Name extends string>(
  cacheRoot: string,
  name: Name,
  placements: readonly Placement[],
  builder: ProgramBuilder,
): Promise<PlannedLayer<Name>> {
  const recipes = placements.map(({ program }) => programRecipe(program));
  const key = cacheKey(
    JSON.stringify([placements, layerCompression]),
    ...recipes.map((recipe) => programKey(recipe, builder.sources(recipe.module))),
  );
  return { name, key, recipes, kept: await exists(join(cacheRoot, "layers", key)) };
}

function announce(missing: readonly ProgramRecipe[], progress: Progress): void {
  if (missing.length === 0) return;
  const cores = availableParallelism();
  const time = formatEstimate(estimateSeconds(missing, cores));
  const names = missing.map(({ name }) => name).join(", ");
  const detail = `no registry needed: ${names} from Go modules, about ${time} on ${String(cores)} cores, once`;
  progress({ stage: "build images", state: "step", detail });
}
