import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "@talos-ts/base";
import type { Architecture } from "../architecture.ts";
import { assembleTree } from "./assemble-tree.ts";
import { buildBaseTree } from "./base-tree.ts";
import { bundleDaemons } from "../bundles/bundle-daemons.ts";
import { cached, cacheDirectory, cacheKey, keepNewest, lockFile, type Progress, silent } from "@talos-ts/host";
import { launcher, type Daemon } from "../daemons.ts";
import { sha256File } from "../packages/fetch-packages.ts";
import { withFreshPins } from "../packages/fresh-pins.ts";
import { imagePackages, unwantedPackages } from "./image-contents.ts";
import { pinnedNode, strippedNode } from "./node-binary.ts";
import { resolvePackages, type PinnedPackage } from "../packages/resolve-packages.ts";
import { flannelPlugin } from "./flannel-plugin.ts";
import { skeleton } from "./skeleton.ts";
import { imageSbom, sbomPath, type ImageParts } from "../sbom/image-sbom.ts";
import { npmComponents } from "../sbom/npm-components.ts";
import { imageEpoch, squash, squashFlags, treeSize } from "./squash.ts";
import { openWorkshop } from "./workshop.ts";

export interface BuildRootfsOptions {
  readonly daemons: readonly Daemon[];
  /** Version of the system: written into `os-release`, and told by the daemons. @default "v0.1.0", and that of the sources */
  readonly version?: string;
  /** True for nodes that run Kubernetes: adds the program of the pod network, which is built from Go modules. @default false */
  readonly podNetwork?: boolean;
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
  /** Takes the newest packages of the archive instead of the ones pinned by an earlier build. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** Bytes of the image and of its parts before packing. */
export interface RootfsSizes {
  readonly squashfs: number;
  readonly tree: number;
  readonly node: number;
  readonly bundles: number;
}

export interface Rootfs {
  /** Path of the image. */
  readonly squashfs: string;
  /** `sha256:<hex>` of the image. */
  readonly digest: string;
  readonly sizes: RootfsSizes;
  readonly packages: readonly PinnedPackage[];
  /** True when nothing had to be built. */
  readonly cached: boolean;
}

const lookAgainMs = 500;

/** Every change of a daemon makes a new image, so only those used last are kept; a mounted one outlives its file. */
const keptImages = 5;

/** Builds the root file system of a machine, or finds the one that was built from the same parts. */
export async function buildRootfs(options: BuildRootfsOptions, progress: Progress = silent): Promise<Rootfs> {
  const root = options.cacheRoot ?? cacheDirectory();
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  // Before the lock: whoever needs no plugin does not wait for its build.
  const plugins = options.podNetwork === true ? [await flannelPlugin({ cacheRoot: root, ...signal }, progress)] : [];
  await using _lock = await lockFile(join(root, "build.lock"), async (holder) => {
    progress({ stage: "wait", state: "step", detail: `process ${holder} is building an image` });
    await systemClock.sleep(lookAgainMs, options.signal);
  });
  return withFreshPins(
    options.refresh ?? false,
    (refresh) => build({ ...options, refresh }, root, plugins, progress),
    progress,
  );
}

async function build(
  options: BuildRootfsOptions,
  root: string,
  plugins: readonly string[],
  progress: Progress,
): Promise<Rootfs> {
  const { tools, apt, architecture } = await openWorkshop(options, progress);
  const shared = {
    apt,
    architecture,
    cacheRoot: root,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const packages = await resolvePackages(
    { ...shared, roots: imagePackages, unwanted: unwantedPackages, refresh: options.refresh ?? false },
    progress,
  );
  const node = await strippedNode(pinnedNode(architecture), tools, root, progress);
  const base = await buildBaseTree({ ...shared, packages, node: node.path }, progress);
  progress({ stage: "bundle daemons", state: "start" });
  const bundles = await bundleDaemons(options.daemons, options.version);
  progress({ stage: "bundle daemons", state: "done" });
  const version = options.version ?? "v0.1.0";
  const bones = skeleton(version);

  const key = cacheKey(
    base.path.slice(root.length),
    node.path.slice(root.length),
    tools.key,
    ...plugins.map((path) => path.slice(root.length)),
    JSON.stringify([squashFlags, bones, options.daemons.map((daemon) => [daemon.program, launcher(daemon)])]),
    ...bundles.files.flatMap(({ name, content }) => [name, content]),
    sbomPath,
    JSON.stringify(await npmComponents(bundles.npmPackages)),
  );
  const file = `${key}.squashfs`;
  const image = await cached(root, "rootfs", file, async (scratch) => {
    const tree = `${scratch}.tree`;
    try {
      await assembleTree(tree, {
        base: base.path,
        node: node.path,
        skeleton: bones,
        daemons: options.daemons,
        bundles: bundles.files,
        plugins,
      });
      await writeSbom(tree, { version, packages, architecture, npmPackages: bundles.npmPackages });
      await squash(tree, scratch, tools, progress);
      const report = {
        digest: `sha256:${await sha256File(scratch)}`,
        sizes: {
          squashfs: (await stat(scratch)).size,
          tree: await treeSize(tree),
          node: (await stat(node.path)).size,
          bundles: bundles.files.reduce((sum, { content }) => sum + content.length, 0),
        },
      };
      await writeFile(join(root, "rootfs", `${key}.json`), `${JSON.stringify(report)}\n`);
    } finally {
      await rm(tree, { recursive: true, force: true });
    }
  });
  if (image.hit) progress({ stage: "pack squashfs", state: "cached" });
  await utimes(image.path, new Date(), new Date());
  await keepNewest(root, "rootfs", keptImages, [".squashfs", ".json"]);
  const report = JSON.parse(await readFile(join(root, "rootfs", `${key}.json`), "utf8")) as Pick<
    Rootfs,
    "digest" | "sizes"
  >;
  return { squashfs: image.path, ...report, packages, cached: image.hit };
}

async function writeSbom(
  tree: string,
  { architecture, ...parts }: Pick<ImageParts, "version" | "packages" | "npmPackages"> & { architecture: Architecture },
): Promise<void> {
  const node = pinnedNode(architecture);
  const text = await imageSbom({ tree, architecture: architecture.debian, node, createdSeconds: imageEpoch, ...parts });
  await mkdir(dirname(join(tree, sbomPath)), { recursive: true });
  await writeFile(join(tree, sbomPath), text);
}

/**
 * Unpacks an image into a folder of the cache, for hosts where it cannot be mounted.
 *
 * @returns the folder, owned by root as in the image.
 */
export async function unpackRootfs(
  image: Pick<Rootfs, "squashfs" | "digest">,
  options: { readonly cacheRoot?: string; readonly signal?: AbortSignal } = {},
  progress: Progress = silent,
): Promise<string> {
  const { tools } = await openWorkshop(options, progress);
  const root = options.cacheRoot ?? cacheDirectory();
  const unpacked = await cached(root, "unpacked", image.digest.replace("sha256:", ""), async (scratch) => {
    progress({ stage: "unpack image", state: "start" });
    await tools.run("unsquashfs", ["-no-progress", "-quiet", "-d", scratch, image.squashfs]);
    progress({ stage: "unpack image", state: "done" });
  });
  return unpacked.path;
}
