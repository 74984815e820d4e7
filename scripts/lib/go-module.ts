import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { cacheDirectory, runTool } from "@talos-ts/host";
import { goToolchain } from "@talos-ts/imager";
import { lineProgress } from "./line-progress.ts";

export interface GoModuleOptions {
  /** `test` builds the tests of the module as a program. @default {"program"} */
  readonly kind?: "program" | "test";
}

const verbs = { program: ["build"], test: ["test", "-c"] } as const;

/**
 * Builds a Go module of ours with the pinned toolchain, once per state of its sources, into the cache outside the clone.
 *
 * @returns the path of the program
 */
export async function buildGoModule(sources: string, { kind = "program" }: GoModuleOptions = {}): Promise<string> {
  const cacheRoot = cacheDirectory();
  const toolchain = await goToolchain(cacheRoot, lineProgress);
  const hash = createHash("sha256").update(kind).update(toolchain.go);
  for (const file of (await readdir(sources)).sort())
    hash.update(`${file}\0`).update(await readFile(join(sources, file)));
  const cache = join(cacheRoot, "go");
  const program = join(cache, `${basename(sources)}-${hash.digest("hex").slice(0, 24)}`);
  const built = await access(program).then(
    () => true,
    () => false,
  );
  if (built) return program;
  await mkdir(cache, { recursive: true });
  // Built beside and renamed, so that an interrupted build leaves nothing that looks finished.
  const partial = `${program}.${String(process.pid)}`;
  await runTool(toolchain.go, [...verbs[kind], "-o", partial, "."], { cwd: sources, env: toolchain.env });
  await rename(partial, program);
  return program;
}
