import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AptWorkspace } from "../packages/apt-workspace.ts";
import type { Architecture } from "../architecture.ts";
import { cached, cacheKey, type Progress, runTool, type ToolOptions, type ToolResult } from "@talos-ts/host";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { toolPackages } from "./image-contents.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";

/** Programs that make images, from the same release as the image, so that every host makes the same bytes. */
export interface Toolset {
  /** Changes when a version of a tool changes. */
  readonly key: string;
  run(name: "mksquashfs" | "unsquashfs" | "strip", args: readonly string[], options?: ToolOptions): Promise<ToolResult>;
}

export interface ToolsetOptions {
  readonly apt: AptWorkspace;
  readonly cacheRoot: string;
  readonly architecture: Architecture;
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

export async function openToolset(options: ToolsetOptions, progress: Progress): Promise<Toolset> {
  const packages = await resolvePackages({ ...options, roots: toolPackages }, progress);
  const key = cacheKey(...packages.map(({ sha256 }) => sha256));
  const { path } = await cached(options.cacheRoot, "tools", key, async (scratch) => {
    await fetchPackages(options.apt, packages, progress);
    await extractPackages(options.apt, packages, scratch, progress, options.signal);
  });
  const linkers = await readdir(join(path, "usr/lib64")).catch(() => readdir(join(path, "usr/lib")));
  const linker = linkers.find((name) => name.startsWith("ld-linux-")) ?? "ld-linux.so";
  const loader = join(path, options.architecture.debian === "amd64" ? "usr/lib64" : "usr/lib", linker);
  return {
    key,
    run: (name, args, more) =>
      // Through its own dynamic linker a program of another release runs with its own libraries.
      runTool(
        loader,
        ["--library-path", join(path, "usr/lib", options.architecture.triplet), join(path, "usr/bin", name), ...args],
        { ...(options.signal === undefined ? {} : { signal: options.signal }), ...more },
      ),
  };
}
