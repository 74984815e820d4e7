import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

export interface GoModuleOptions {
  /** `test` builds the tests of the module as a program. @default {"program"} */
  readonly kind?: "program" | "test";
}

const verbs = { program: ["build"], test: ["test", "-c"] } as const;

/** Builds a Go module of ours once per state of its sources, into the cache outside the clone; resolves to the program. */
export async function buildGoModule(sources: string, { kind = "program" }: GoModuleOptions = {}): Promise<string> {
  const hash = createHash("sha256").update(kind);
  for (const file of (await readdir(sources)).sort())
    hash.update(`${file}\0`).update(await readFile(join(sources, file)));
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "talos-ts", "go");
  const program = join(cache, `${basename(sources)}-${hash.digest("hex").slice(0, 24)}`);
  const built = await access(program).then(
    () => true,
    () => false,
  );
  if (built) return program;
  await mkdir(cache, { recursive: true });
  // Built beside and renamed, so that an interrupted build leaves nothing that looks finished.
  const partial = `${program}.${String(process.pid)}`;
  await promisify(execFile)("go", [...verbs[kind], "-o", partial, "."], { cwd: sources, maxBuffer: 64 * 1024 * 1024 });
  await rename(partial, program);
  return program;
}
