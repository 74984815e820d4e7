import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OsError } from "@talos-ts/base";
import { runTool, type ToolOptions, type ToolResult } from "@talos-ts/host";
import type { GoToolchain } from "../go/go-toolchain.ts";
import { listVersions } from "../go/module-proxy.ts";
import { explainGo } from "./explain-go.ts";
import { withKubernetes } from "./module-pins.ts";
import type { ModuleName, ModuleSources } from "./module-sources.ts";
import { patchedModules, patchModule, type PatchedModule } from "./patch-module.ts";
import { suggestVersion } from "./suggest-version.ts";

/** A folder in which modules of ours are built, with caches of its own. */
export interface GoWorkspace {
  /** Runs `go` in a module. Modules are downloaded as needed. */
  go(module: ModuleName, args: readonly string[], options?: ToolOptions): Promise<ToolResult>;
  /** Removes the folder with all that was downloaded and compiled: some gigabytes. */
  remove(): Promise<void>;
}

export interface GoWorkspaceOptions {
  readonly directory: string;
  readonly toolchain: GoToolchain;
  readonly modules: ReadonlyMap<ModuleName, ModuleSources>;
  readonly signal?: AbortSignal;
}

/**
 * Opens the workspace; one that an interrupted build left is used again with all it has.
 *
 * Programs run with the lowest priority, so that a build of minutes does not take the machine away from its user.
 */
export async function openGoWorkspace(options: GoWorkspaceOptions): Promise<GoWorkspace> {
  const { directory, toolchain, modules } = options;
  const folder = (module: string): string => join(directory, "modules", module);
  const { GOFLAGS: flags = "", ...inherited } = toolchain.env;
  const env = {
    ...inherited,
    GOCACHE: join(directory, "build"),
    GOMODCACHE: join(directory, "downloaded"),
    GOTMPDIR: join(directory, "temporary"),
    // Writable modules can be removed by their owner; stamping needs the git repository, which these folders do not have.
    GOFLAGS: `${flags} -modcacherw -buildvcs=false -trimpath`.trim(),
  };
  for (const path of [env.GOCACHE, env.GOMODCACHE, env.GOTMPDIR]) await mkdir(path, { recursive: true });
  const run = async (cwd: string, args: readonly string[], more: ToolOptions = {}): Promise<ToolResult> => {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    try {
      return await runTool("nice", ["-n", "10", toolchain.go, ...args], { ...signal, ...more, cwd, env });
    } catch (err) {
      options.signal?.throwIfAborted();
      throw await suggestVersion(explainGo(err, directory), () => listVersions("k8s.io/kubernetes", {}, env));
    }
  };
  for (const [module, sources] of modules) {
    for (const [path, text] of Object.entries(sources.files)) {
      await mkdir(dirname(join(folder(module), path)), { recursive: true });
      await writeFile(join(folder(module), path), text);
    }
  }
  const download = async (path: string, version: string): Promise<Downloaded> => {
    const { stdout } = await run(directory, ["mod", "download", "-json", `${path}@${version}`]);
    return JSON.parse(stdout) as Downloaded;
  };
  const images = modules.get("images");
  for (const patched of images === undefined ? [] : patchedModules) {
    const version = images?.pins.version(patched.path) ?? "";
    const { Dir, Sum } = await download(patched.path, version);
    checkHash(patched, version, Sum);
    await patchModule(patched, Dir, join(folder("images"), patched.folder));
  }
  for (const [module, { verified, pins, pinned }] of modules) {
    if (verified) continue;
    const version = pins.version("k8s.io/kubernetes");
    const released = await readFile((await download("k8s.io/kubernetes", version)).GoMod, "utf8");
    await writeFile(join(folder(module), "go.mod"), withKubernetes(pinned, version, released));
    // Finds the modules this version needs; the checksum database has their hashes.
    await run(folder(module), ["mod", "tidy"]);
  }
  return {
    go: (module, args, more) => run(folder(module), args, more),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Describes what `go mod download -json` says. */
interface Downloaded {
  readonly Dir: string;
  readonly GoMod: string;
  readonly Sum: string;
}

function checkHash({ path, hash }: PatchedModule, version: string, actual: string): void {
  const expected = hash[version];
  if (expected === actual) return;
  throw new OsError({
    kind: "data-loss",
    code: "image/module-hash",
    message: `Cannot use module ${path}@${version}: expected hash ${expected ?? "of a known version"}, the downloaded one has ${actual}`,
    next: "go env GOPROXY (where modules come from)",
  });
}
