import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AptWorkspace } from "../packages/apt-workspace.ts";
import type { Architecture } from "../architecture.ts";
import { cached, type Cached, cacheKey, exists, inStage, type Progress, runTool } from "@talos-ts/host";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import * as contents from "./image-contents.ts";
import type { PinnedPackage } from "../packages/resolve-packages.ts";
import { builtUsingFile, documentFolder } from "../sbom/debian-components.ts";
import { selectFiles } from "./select-files.ts";

export interface BaseTreeOptions {
  readonly apt: AptWorkspace;
  readonly cacheRoot: string;
  readonly architecture: Architecture;
  readonly packages: readonly PinnedPackage[];
  /** The Node.js of the image; its libraries are part of the tree. */
  readonly node: string;
  readonly signal?: AbortSignal;
}

/** The part of the image that comes from Debian, pruned to `image-contents.ts`; changes only with the pinned packages. */
export async function buildBaseTree(options: BaseTreeOptions, progress: Progress): Promise<Cached> {
  const recipe = JSON.stringify({ ...contents, unwantedPackages: [], toolPackages: [], builtUsingFile });
  const nodeKey = basename(options.node);
  const key = cacheKey(recipe, nodeKey, ...options.packages.map(({ sha256 }) => sha256));
  const stage = "base tree";
  const result = await cached(options.cacheRoot, "base", key, async (scratch) => {
    await fetchPackages(options.apt, options.packages, progress);
    const raw = `${scratch}.raw`;
    try {
      await inStage(progress, "unpack packages", () =>
        extractPackages(options.apt, options.packages, raw, progress, options.signal),
      );
      await inStage(progress, stage, () => prune(raw, scratch, options));
    } finally {
      await rm(raw, { recursive: true, force: true });
    }
  });
  if (result.hit) progress({ stage, state: "cached" });
  return result;
}

async function prune(raw: string, tree: string, options: BaseTreeOptions): Promise<void> {
  const { triplet } = options.architecture;
  const node = "usr/bin/node";
  await copyFile(options.node, join(raw, node));
  const plugins = contents.cniPlugins.names.map((name) => `${contents.cniPlugins.from}/${name}`);
  const files = await selectFiles({
    root: raw,
    libraryFolders: [`usr/lib/${triplet}`, "usr/lib", `usr/lib/${triplet}/systemd`],
    files: [...contents.programs, ...contents.plainFiles, ...plugins, node],
    trees: contents.trees.map((path) => path.replace("<triplet>", triplet)),
    libraries: contents.openedLibraries,
  });
  for (const file of files) {
    if (file === node) continue;
    const moved = plugins.includes(file) ? join(contents.cniPlugins.to, basename(file)) : file;
    await copyEntry(join(raw, file), join(tree, moved));
  }
  for (const [path, target] of Object.entries(contents.alternativeLinks)) {
    await rm(join(tree, path), { force: true });
    await symlink(target, join(tree, path));
  }
  await writeCertificates(raw, tree);
  await copyLicences(raw, tree, options.packages);
  await writeBuiltUsing(tree, options);
}

/** Copies a file or link; of the mode only "may be run" survives, so that no set-uid bit enters the image. */
async function copyEntry(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const info = await lstat(from);
  if (info.isSymbolicLink()) return symlink(await readlink(from), to);
  await copyFile(from, to);
  await chmod(to, (info.mode & 0o111) === 0 ? 0o644 : 0o755);
}

/** Debian joins the trusted roots in a maintainer script, so it is done here. */
async function writeCertificates(raw: string, tree: string): Promise<void> {
  const folder = join(raw, "usr/share/ca-certificates/mozilla");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".crt")).sort();
  const certificates = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  await mkdir(join(tree, "etc/ssl/certs"), { recursive: true });
  await writeFile(join(tree, "etc/ssl/certs/ca-certificates.crt"), certificates.join(""));
}

/** Keeps the names of source packages that are linked statically into a package's programs, as those of Go are. */
async function writeBuiltUsing(tree: string, { apt, packages }: BaseTreeOptions): Promise<void> {
  for (const { name, file } of packages) {
    const fields = ["Built-Using", "Static-Built-Using"];
    const { stdout } = await runTool("dpkg-deb", ["--field", join(apt.archives, file), ...fields]);
    if (stdout.trim() === "") continue;
    const path = join(tree, documentFolder(name), builtUsingFile);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, stdout);
  }
}

async function copyLicences(raw: string, tree: string, packages: readonly PinnedPackage[]): Promise<void> {
  for (const { name } of packages) {
    const path = `${documentFolder(name)}/copyright`;
    if (!(await exists(join(raw, path)))) continue;
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await copyFile(join(raw, path), join(tree, path));
  }
}
