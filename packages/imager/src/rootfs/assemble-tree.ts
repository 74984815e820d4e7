import { chmod, copyFile, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BundleFile } from "../bundles/bundle-daemons.ts";
import { bundleFolder, launcher, type Daemon } from "../daemons.ts";
import type { Skeleton } from "./skeleton.ts";

export interface TreeParts {
  /** Folder of the base tree. */
  readonly base: string;
  readonly node: string;
  readonly skeleton: Skeleton;
  readonly daemons: readonly Daemon[];
  readonly bundles: readonly BundleFile[];
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
  await copyFile(parts.node, join(directory, "usr/bin/node"));
  await chmod(join(directory, "usr/bin/node"), 0o755);
  for (const bundle of parts.bundles) await put(join(directory, bundleFolder, bundle.name), bundle.content);
  for (const daemon of parts.daemons) await put(join(directory, daemon.program), launcher(daemon), 0o755);
}

async function put(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
}
