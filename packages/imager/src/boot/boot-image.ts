import { createWriteStream } from "node:fs";
import { lstat, readFile, readlink, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OsError } from "@talos-ts/base";
import { cached, cacheDirectory, cacheKey, inStage, keepNewest, silent, type Progress } from "@talos-ts/host";
import type { BootAssetName, BootManifest } from "@talos-ts/machinery/boot-assets";
import { currentArchitecture } from "../architecture.ts";
import { bundleDaemons, type BundleFile } from "../bundles/bundle-daemons.ts";
import { bundleFolder, initramfsDaemon, launcher } from "../daemons.ts";
import type { TarEntry } from "../images/tar-entry.ts";
import { sha256File } from "../packages/fetch-packages.ts";
import { withFreshPins } from "../packages/fresh-pins.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";
import { buildBaseTree } from "../rootfs/base-tree.ts";
import type { Rootfs } from "../rootfs/build-rootfs.ts";
import { readElf } from "../rootfs/elf.ts";
import { imagePackages, unwantedPackages } from "../rootfs/image-contents.ts";
import { pinnedNode, strippedNode } from "../rootfs/node-binary.ts";
import { selectFiles } from "../rootfs/select-files.ts";
import { imageEpoch, squash } from "../rootfs/squash.ts";
import { openWorkshop } from "../rootfs/workshop.ts";
import { buildBootLoader } from "./boot-loader.ts";
import { buildKernel, type Kernel } from "./kernel.ts";
import { moduleOrder } from "./module-order.ts";
import { writeUnifiedKernel } from "./unified-kernel.ts";
import { initramfsLevel, writeInitramfs, type InitramfsEntries } from "./write-initramfs.ts";

/** Everything that a machine needs to start from a disk. */
export interface BootImage {
  /** Kernel, and an initramfs that carries the root file system, in one program for UEFI. */
  readonly uki: AssetFile;
  /** The boot loader. */
  readonly loader: AssetFile;
  /** Version of the root file system, as in `v1.13.9`. */
  readonly version: string;
  /** Of the kernel, as `uname -r` says it. */
  readonly release: string;
}

export interface AssetFile {
  readonly from: string;
  /** In bytes. */
  readonly size: number;
}

export interface BootImageOptions {
  readonly rootfs: Pick<Rootfs, "squashfs" | "digest">;
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
  readonly signal?: AbortSignal;
}

/** Modules that the initramfs needs before it can read the others. */
const earlyModules = ["loop", "squashfs"] as const;

/** An image has some 170 MB and is made in seconds; while one is upgraded to another, both are needed. */
const keptImages = 3;

/**
 * Arguments of the kernel: messages go to the screen and to the serial console, all of them; a kernel that cannot go on starts anew, so
 * that the boot loader can take the version before.
 */
const kernelArguments = "console=tty0 console=ttyS0 printk.devkmsg=on panic=10 talos.platform=metal";

/** Makes the boot image of a root file system, or finds the one that was made of the same parts. */
export async function buildBootImage(options: BootImageOptions, progress: Progress = silent): Promise<BootImage> {
  return withFreshPins(false, (refresh) => build(options, refresh, progress), progress);
}

async function build(options: BootImageOptions, refresh: boolean, progress: Progress): Promise<BootImage> {
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  const { tools, apt, architecture } = await openWorkshop(options, progress);
  const shared = { apt, architecture, cacheRoot, ...(options.signal !== undefined && { signal: options.signal }) };
  const packages = await resolvePackages(
    { ...shared, roots: imagePackages, unwanted: unwantedPackages, refresh },
    progress,
  );
  const node = await strippedNode(pinnedNode(architecture), tools, cacheRoot, progress);
  const base = await buildBaseTree({ ...shared, packages, node: node.path }, progress);
  const kernel = await buildKernel({ ...shared, base: base.path, refresh }, progress);
  const modules = await cached(cacheRoot, "kernel-modules", `${kernel.key}.squashfs`, (scratch) =>
    squash(kernel.modules, scratch, tools, progress),
  );
  const bundles = await bundleDaemons([initramfsDaemon()]);
  const key = cacheKey(
    options.rootfs.digest,
    basename(base.path),
    basename(node.path),
    basename(modules.path),
    launcher(initramfsDaemon()),
    ...bundles.files.flatMap(({ name, content }) => [name, content]),
  );
  const parts: Parts = {
    rootfs: options.rootfs.squashfs,
    modules: modules.path,
    base: base.path,
    libraries: `usr/lib/${architecture.triplet}`,
    node: node.path,
    bundles: bundles.files,
    kernel,
  };
  const { stdout: osRelease } = await tools.run("unsquashfs", ["-cat", options.rootfs.squashfs, "usr/lib/os-release"]);
  const bootLoader = await buildBootLoader({ ...shared, refresh }, progress);
  const ukiKey = cacheKey(key, kernel.key, bootLoader.key, kernelArguments, osRelease, String(initramfsLevel));
  const image = await cached(cacheRoot, "uki", `${ukiKey}.efi`, (scratch) =>
    inStage(progress, "pack kernel image", async () => {
      const initramfs = `${scratch}.cpio`;
      try {
        await pipeline(Readable.from(writeInitramfs(await entries(parts), imageEpoch)), createWriteStream(initramfs));
        const { stub } = bootLoader;
        const { release, image: vmlinuz } = kernel;
        await writeUnifiedKernel(scratch, {
          stub,
          osRelease,
          arguments: kernelArguments,
          release,
          kernel: vmlinuz,
          initramfs,
        });
      } finally {
        await rm(initramfs, { force: true });
      }
    }),
  );
  await utimes(image.path, new Date(), new Date());
  await keepNewest(cacheRoot, "uki", keptImages, [".efi"]);
  return {
    uki: await assetFile(image.path),
    loader: await assetFile(bootLoader.loader),
    version: versionIn(osRelease),
    release: kernel.release,
  };
}

/** Describes a boot image whose files lie at these paths. */
export async function describeAssets(
  image: Pick<BootImage, "uki" | "loader" | "version">,
  paths: Readonly<Record<BootAssetName, string>>,
): Promise<BootManifest> {
  const describe = async (name: BootAssetName) => {
    const { from, size } = image[name];
    return { path: paths[name], size, sha256: (await sha256File(from)) ?? "" };
  };
  const { version } = image;
  const files = { loader: await describe("loader"), uki: await describe("uki") };
  return { version, architecture: currentArchitecture().debian, files };
}

async function assetFile(from: string): Promise<AssetFile> {
  return { from, size: (await stat(from)).size };
}

function versionIn(osRelease: string): string {
  const version = /^VERSION_ID=(.+)$/m.exec(osRelease)?.[1];
  if (version !== undefined) return version;
  throw new OsError({
    kind: "data-loss",
    code: "image/no-version",
    message: "Cannot tell the version of the root file system: its os-release has no VERSION_ID",
  });
}

interface Parts {
  readonly rootfs: string;
  readonly modules: string;
  readonly base: string;
  readonly libraries: string;
  readonly node: string;
  readonly bundles: readonly BundleFile[];
  readonly kernel: Kernel;
}

async function entries(parts: Parts): Promise<InitramfsEntries> {
  const { kernel } = parts;
  const folder = join(kernel.modules, kernel.release);
  const early = moduleOrder(await readFile(join(folder, "modules.dep"), "utf8"), earlyModules);
  const daemon = initramfsDaemon();
  const packed: TarEntry[] = [
    ...["dev", "proc", "root", "sys"].map((path): TarEntry => ({ type: "directory", path, mode: 0o755 })),
    { type: "symlink", path: "lib64", target: "usr/lib64" },
    { type: "symlink", path: "lib", target: "usr/lib" },
    ...(await libraries(parts)),
    await file("usr/bin/node", parts.node, 0o755),
    ...parts.bundles.map(({ name, content }) => text(`${bundleFolder}/${name}`, content)),
    text(daemon.program, Buffer.from(launcher(daemon)), 0o755),
    ...(await Promise.all(early.map((path) => file(`modules/${basename(path)}`, join(folder, path))))),
    text("modules.list", Buffer.from(early.map((path) => `/modules/${basename(path)}\n`).join(""))),
  ];
  return {
    plain: [await file("rootfs.squashfs", parts.rootfs), await file("modules.squashfs", parts.modules)],
    packed,
  };
}

/** Gives the libraries of Node.js and its dynamic linker. */
async function libraries({ base, node, libraries: folder }: Parts): Promise<TarEntry[]> {
  const { interpreter = "", needed } = readElf(await readFile(node), "node");
  const paths = await selectFiles({
    root: base,
    libraryFolders: [folder],
    files: [interpreter.slice(1)],
    trees: [],
    libraries: needed,
  });
  return Promise.all(
    paths.map(async (path): Promise<TarEntry> => {
      const from = join(base, path);
      if (!(await lstat(from)).isSymbolicLink()) return file(path, from, 0o755);
      return { type: "symlink", path, target: await readlink(from) };
    }),
  );
}

async function file(path: string, from: string, mode = 0o644): Promise<TarEntry> {
  return { type: "file", path, mode, content: { from, size: (await stat(from)).size } };
}

function text(path: string, content: Uint8Array, mode = 0o644): TarEntry {
  return { type: "file", path, mode, content };
}
