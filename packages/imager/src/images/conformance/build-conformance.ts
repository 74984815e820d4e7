import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cached, cacheDirectory, exists, silent, type Progress } from "@talos-ts/host";
import {
  baseImages,
  layoutImage,
  lockImages,
  publishLayout,
  type BaseImages,
  type BuildImagesOptions,
} from "../build-images.ts";
import { programKey } from "../module-sources.ts";
import { openProgramBuilder, type ProgramBuilder } from "../program-builder.ts";
import { makeProgramLayers } from "../program-layers.ts";
import { programRecipe } from "../programs.ts";
import type { TarEntry } from "../tar-entry.ts";
import { e2eToolsLayer } from "./e2e-tools.ts";
import { testImages, testLayers } from "./test-images.ts";

export interface BuiltConformance {
  /** Image layout with the images of a cluster and those of the tests. */
  readonly layout: string;
  /** `kubectl` of the same version. */
  readonly kubectl: string;
  /** The program with the tests; it takes the flags of upstream's `e2e.test`. */
  readonly e2e: string;
}

/** Certificate and key that a test server of agnhost looks for. */
const certificateFiles = ["localhost.crt", "localhost.key"] as const;

/**
 * Builds the conformance tests of Kubernetes and the images they run, or finds those that were built from the same pins. None of
 * it is part of what a cluster needs. Modules and compiled packages are removed when all is built.
 */
export async function buildConformance(
  options: Omit<BuildImagesOptions, "inUse">,
  progress: Progress = silent,
): Promise<BuiltConformance> {
  const cacheRoot = options.cacheRoot ?? cacheDirectory();
  const rest = options.signal === undefined ? {} : { signal: options.signal };
  const kubernetes = options.kubernetes === undefined ? {} : { kubernetes: options.kubernetes };
  const base = await clusterImages({ ...options, cacheRoot }, progress);
  // A lock of its own: who only wants a cluster does not wait for the tests.
  await using _lock = await lockImages(join(cacheRoot, "conformance.lock"), progress, options.signal);
  const tools = await e2eToolsLayer({ cacheRoot, ...rest }, progress);
  const work = { name: "conformance-work", modules: ["conformance"] } as const;
  const builder = await openProgramBuilder({ cacheRoot, ...work, ...kubernetes, ...rest }, progress);
  const recipe = programRecipe("e2e");
  const key = programKey(recipe, builder.sources("conformance"));
  const later = (await exists(join(cacheRoot, "conformance", key))) ? [] : [recipe];
  const more = { agnhost: () => serverFiles(builder) };
  const layers = await makeProgramLayers({ cacheRoot, builder, layers: testLayers, more, later, ...rest }, progress);
  const e2e = await cached(cacheRoot, "conformance", key, async (scratch) => {
    const program = await builder.build(recipe, []);
    await mkdir(scratch);
    await copyFile(program, join(scratch, "e2e"));
  });
  await builder.remove();

  const stored = { ...base.layers, ...layers, tools };
  const images = testImages.map(({ reference, process, layers: names }) => {
    const [title = ""] = reference.slice(reference.lastIndexOf("/") + 1).split(":");
    return layoutImage(
      title,
      reference,
      process,
      names.map((name) => stored[name]),
    );
  });
  const layout = await publishLayout([...base.images, ...images], cacheRoot, progress);
  return { layout: layout.path, kubectl: base.kubectl, e2e: join(e2e.path, "e2e") };
}

async function clusterImages(
  options: Omit<BuildImagesOptions, "inUse"> & { readonly cacheRoot: string },
  progress: Progress,
): Promise<BaseImages> {
  await using _lock = await lockImages(join(options.cacheRoot, "images.lock"), progress, options.signal);
  return await baseImages(options, progress);
}

async function serverFiles(builder: ProgramBuilder): Promise<readonly TarEntry[]> {
  const folder = await builder.moduleFolder("conformance", "k8s.io/kubernetes");
  const files = certificateFiles.map(async (name): Promise<TarEntry> => {
    const content = await readFile(join(folder, "test/images/agnhost/porter", name));
    return { type: "file", path: name, mode: 0o644, content };
  });
  return [{ type: "directory", path: "uploads", mode: 0o777 }, ...(await Promise.all(files))];
}
