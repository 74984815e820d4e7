import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** Bundles a program as it is shipped: one file, types removed beforehand. Resolves to the file. */
export async function bundle(entry: string): Promise<string> {
  const folder = join(import.meta.dirname, "../../.cache/bench");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    // Dependencies in CommonJS ask for Node's own modules with `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}
