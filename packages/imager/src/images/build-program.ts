import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cached, type Progress } from "@talos-ts/host";
import { estimateSeconds, formatEstimate, remainingSeconds } from "./estimate.ts";
import { explainCompile } from "./explain-go.ts";
import type { GoWorkspace } from "./go-workspace.ts";
import { programKey, type ModuleSources } from "./module-sources.ts";
import { linkerFlags, type ProgramRecipe } from "./programs.ts";

export interface BuildProgramOptions {
  /** Folder in which programs are kept until the images are whole. */
  readonly directory: string;
  readonly sources: ModuleSources;
  /** Opens the workspace; asked only when something has to be built. */
  readonly workspace: () => Promise<GoWorkspace>;
  /** Programs that are built after it, for the estimate of the time that is left. */
  readonly later: readonly ProgramRecipe[];
}

/** Builds a program unless an interrupted build has it already. @returns its path */
export async function buildProgram(
  recipe: ProgramRecipe,
  options: BuildProgramOptions,
  progress: Progress,
): Promise<string> {
  const { sources } = options;
  const cores = availableParallelism();
  const own = estimateSeconds([recipe], cores);
  const later = estimateSeconds(options.later, cores);
  const built = await cached(options.directory, "programs", programKey(recipe, sources), async (scratch) => {
    const workspace = await options.workspace();
    const stage = `build ${recipe.name}`;
    progress({ stage, state: "start", detail: `about ${formatEstimate(own + later)} left` });
    const total = await countPackages(workspace, recipe);
    const started = performance.now();
    let done = 0;
    await mkdir(scratch);
    const flags = ["-mod=readonly", "-v", "-ldflags", linkerFlags(recipe, sources.pins)];
    const said: string[] = [];
    const build = workspace.go(recipe.module, ["build", ...flags, "-o", join(scratch, recipe.name), recipe.package], {
      onErrorLine: (line) => {
        said.push(line);
        done = Math.min(done + 1, total);
        const left = remainingSeconds(own, (performance.now() - started) / 1000, done / Math.max(1, total));
        const detail = `packages compiled, about ${formatEstimate(left + later)} left`;
        progress({ stage, state: "step", done, total, detail });
      },
    });
    await build.catch((err: unknown) => Promise.reject(explainCompile(err, recipe.name, said)));
    progress({ stage, state: "done" });
  });
  return join(built.path, recipe.name);
}

/** Returns how many packages `go build -v` will name. Downloads the modules that are missing. */
async function countPackages(workspace: GoWorkspace, recipe: ProgramRecipe): Promise<number> {
  const template = "{{if .Stale}}{{.ImportPath}}{{end}}";
  const args = ["list", "-mod=readonly", "-deps", "-f", template, recipe.package];
  const { stdout } = await workspace.go(recipe.module, args);
  return stdout.split("\n").filter((line) => line !== "").length;
}
