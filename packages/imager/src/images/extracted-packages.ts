import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@talos-ts/base";
import { cacheKey, lockFile, type Progress } from "@talos-ts/host";
import { currentArchitecture } from "../architecture.ts";
import { openAptWorkspace } from "../packages/apt-workspace.ts";
import { extractPackages } from "../packages/extract-packages.ts";
import { fetchPackages } from "../packages/fetch-packages.ts";
import { resolvePackages } from "../packages/resolve-packages.ts";
import { suite } from "../rootfs/image-contents.ts";

export interface ExtractedPackagesOptions {
  readonly cacheRoot: string;
  /** Packages that are wanted; apt finds what they need. */
  readonly roots: readonly string[];
  readonly unwanted: readonly RegExp[];
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** Debian packages that layers are made of; the folder goes when they are disposed of. */
export interface ExtractedPackages extends AsyncDisposable {
  readonly names: readonly string[];
  /** Changes with every package. */
  readonly key: string;
  /** Fetches and extracts them when it is first asked for. @returns the folder */
  folder(): Promise<string>;
}

const lookAgainMs = 500;

export async function openPackages(options: ExtractedPackagesOptions, progress: Progress): Promise<ExtractedPackages> {
  const { cacheRoot, roots, unwanted, refresh = false } = options;
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  await using stack = new AsyncDisposableStack();
  // The root file system is built with the same private apt, which works for one at a time.
  stack.use(
    await lockFile(join(cacheRoot, "build.lock"), async () => {
      await systemClock.sleep(lookAgainMs, options.signal);
    }),
  );
  const architecture = currentArchitecture();
  const directory = join(cacheRoot, "apt", `${suite}-${architecture.debian}`);
  const apt = await openAptWorkspace({ directory, suite, architecture: architecture.debian, ...signal });
  const packages = await resolvePackages({ apt, cacheRoot, roots, unwanted, refresh }, progress);
  const key = cacheKey(...packages.map(({ sha256 }) => sha256));
  const raw = join(cacheRoot, "layers", `.debian-${key}`);
  stack.defer(() => rm(raw, { recursive: true, force: true }));
  let extracted: Promise<void> | undefined;
  const extract = async (): Promise<void> => {
    await fetchPackages(apt, packages, progress);
    await extractPackages(apt, packages, raw, progress, options.signal);
  };
  const owned = stack.move();
  return {
    names: packages.map(({ name }) => name),
    key,
    async folder() {
      await (extracted ??= extract());
      return raw;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
