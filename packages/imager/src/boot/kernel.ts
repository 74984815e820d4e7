import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { cached, cacheKey, inStage, runTool, type Progress } from "@talos-ts/host";
import type { Architecture } from "../architecture.ts";
import type { AptWorkspace } from "../packages/apt-workspace.ts";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";

export interface KernelOptions {
  readonly apt: AptWorkspace;
  readonly cacheRoot: string;
  readonly architecture: Architecture;
  /** Folder of the Debian part of the image; its `kmod` writes the index of the modules. */
  readonly base: string;
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** A kernel and its modules. */
export interface Kernel {
  /** As `uname -r` says it. */
  readonly release: string;
  readonly image: string;
  /** Folder that has a folder of modules for the release, with their index. */
  readonly modules: string;
  /** Changes when the kernel changes. */
  readonly key: string;
}

/** Debian's kernel for virtual machines; the generic one has four times the drivers. */
const kernelPackage = "linux-image-cloud-<architecture>";
/** The package needs others only for its maintainer scripts. */
const allButKernels = /^(?!linux-image-)/;

/** Gives the kernel of virtual machines: from Debian's package, pinned and kept as those of the root file system are. */
export async function buildKernel(options: KernelOptions, progress: Progress): Promise<Kernel> {
  const roots = [kernelPackage.replace("<architecture>", options.architecture.debian)];
  const packages = await resolvePackages({ ...options, roots, unwanted: [allButKernels] }, progress);
  const key = cacheKey(...packages.map(({ sha256 }) => sha256));
  const { path } = await cached(options.cacheRoot, "kernel", key, async (scratch) => {
    await fetchPackages(options.apt, packages, progress);
    const raw = `${scratch}.raw`;
    try {
      await inStage(progress, "unpack kernel", () =>
        extractPackages(options.apt, packages, raw, progress, options.signal),
      );
      const release = await releaseIn(join(raw, "usr/lib/modules"));
      await index(raw, release, options);
      await mkdir(scratch);
      await rename(join(raw, "usr/lib/modules"), join(scratch, "modules"));
      await cp(join(raw, `boot/vmlinuz-${release}`), join(scratch, "vmlinuz"));
    } finally {
      await rm(raw, { recursive: true, force: true });
    }
  });
  const modules = join(path, "modules");
  return { release: await releaseIn(modules), image: join(path, "vmlinuz"), modules, key };
}

async function releaseIn(modules: string): Promise<string> {
  const [release, ...others] = await readdir(modules);
  if (release !== undefined && others.length === 0) return release;
  throw new OsError({
    kind: "data-loss",
    code: "image/kernel",
    message: `Cannot use the kernel package: expected the modules of one release, found ${1 + others.length}`,
  });
}

/** Writes `modules.dep` and the other tables of modprobe(8), which Debian does in a maintainer script. */
async function index(root: string, release: string, { base, architecture, signal }: KernelOptions): Promise<void> {
  const libraries = join(base, "usr/lib", architecture.triplet);
  const folder = architecture.debian === "amd64" ? "usr/lib64" : "usr/lib";
  const linker = (await readdir(join(base, folder))).find((name) => name.startsWith("ld-linux-")) ?? "ld-linux.so";
  // One program under many names: it looks at its own to know what to do.
  await runTool(
    join(base, folder, linker),
    ["--library-path", libraries, "--argv0", "depmod", join(base, "usr/bin/kmod"), "-b", join(root, "usr"), release],
    signal === undefined ? {} : { signal },
  );
}
