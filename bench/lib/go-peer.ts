import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Builds the Go module `bench/peers/<name>` once per state of its sources; resolves to the program. */
export async function buildGoPeer(name: string): Promise<string> {
  const sources = join(import.meta.dirname, "..", "peers", name);
  const hash = createHash("sha256");
  for (const file of (await readdir(sources)).sort()) hash.update(file).update(await readFile(join(sources, file)));
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "talos-ts", "bench");
  const program = join(cache, `${name}-${hash.digest("hex").slice(0, 24)}`);
  const built = await access(program).then(
    () => true,
    () => false,
  );
  if (built) return program;
  await mkdir(cache, { recursive: true });
  // Built beside and renamed, so that an interrupted build leaves nothing that looks finished.
  const partial = `${program}.${process.pid}`;
  await run("go", ["build", "-o", partial, "."], { cwd: sources });
  await rename(partial, program);
  return program;
}
