import { chmod, copyFile, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BundleFile } from "../bundles/bundle-daemons.ts";
import { bundleFolder, launcher, type Daemon } from "../daemons.ts";
import { cniPlugins } from "./image-contents.ts";
import type { Skeleton } from "./skeleton.ts";

export interface TreeParts {
  /** Folder of the base tree. */
  readonly base: string;
  readonly node: string;
  readonly skeleton: Skeleton;
  readonly daemons: readonly Daemon[];
  readonly bundles: readonly BundleFile[];
  /** Plugins for pod networks beside those of the base tree. */
  readonly plugins: readonly string[];
}

/** Puts the parts of a root file system together in a new folder. */
export async function assembleTree(directory: string, parts: TreeParts): Promise<void> {
  await cp(parts.base, directory, { recursive: true, verbatimSymlinks: true });
  for (const [path, mode] of Object.entries(parts.skeleton.directories)) {
    await mkdir(join(directory, path), { recursive: true });
    await chmod(join(directory, path), mode);
  }
  for (const [path, content] of Object.entries(parts.skeleton.files)) await put(join(directory, path), content);
  for (const [path, target] of Object.entries(parts.skeleton.links)) await symlink(target, join(directory, path));
  await copyProgram(parts.node, join(directory, "usr/bin/node"));
  for (const plugin of parts.plugins) await copyProgram(plugin, join(directory, cniPlugins.to, basename(plugin)));
  for (const bundle of parts.bundles) await put(join(directory, bundleFolder, bundle.name), bundle.content);
  for (const daemon of parts.daemons) await put(join(directory, daemon.program), launcher(daemon), 0o755);
}

async function copyProgram(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  await chmod(to, 0o755);
}

async function put(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
}
