import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, type BuildOptions } from "esbuild";

const folder = join(import.meta.dirname, "../../.cache/bench");

const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  // Dependencies in CommonJS ask for Node's own modules with `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
} as const satisfies BuildOptions;

/** Bundles a program into one file, types removed beforehand. Resolves to the file. */
export async function bundle(entry: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({ ...shared, entryPoints: [entry], outfile });
  return outfile;
}
