import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheKey } from "@talos-ts/host";
import { goSources } from "../go-sources.ts";
import { goVersion } from "../go/go-toolchain.ts";
import { readPins, withKubernetes, type ModulePins } from "./module-pins.ts";
import { patchedModules } from "./patch-module.ts";
import { linkerFlags, type ProgramRecipe } from "./programs.ts";

export type ModuleName = ProgramRecipe["module"];

/** A module of ours as it is built: its files by name, with the wanted version of Kubernetes in its `go.mod`. */
export interface ModuleSources {
  readonly files: Readonly<Record<string, string>>;
  readonly pins: ModulePins;
  /** The `go.mod` in this repository. */
  readonly pinned: string;
  /** True when `go.sum` has the hashes of everything that is built. */
  readonly verified: boolean;
}

/** @param kubernetes Version with its `v`. @default the pinned one */
export async function readModuleSources(module: ModuleName, kubernetes?: string): Promise<ModuleSources> {
  const folder = join(goSources, module);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), "utf8")));
  const files = Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]));
  const pinned = files["go.mod"] ?? "";
  const goMod = kubernetes === undefined || module === "flannel-cni" ? pinned : withKubernetes(pinned, kubernetes);
  return { files: { ...files, "go.mod": goMod }, pins: readPins(goMod), pinned, verified: goMod === pinned };
}

/** Changes with everything that decides what a program is; other programs of the same module do not count. */
export function programKey(recipe: ProgramRecipe, sources: ModuleSources): string {
  const own = recipe.package.startsWith("./") ? `${recipe.package.slice(2)}/` : undefined;
  const parts = Object.entries(sources.files).filter(
    ([path]) => !path.includes("/") || (own !== undefined && path.startsWith(own)),
  );
  return cacheKey(
    goVersion,
    process.arch,
    recipe.package,
    linkerFlags(recipe, sources.pins),
    JSON.stringify(patchedModules),
    ...parts.flat(),
  );
}
