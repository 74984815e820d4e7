import { build, type Metafile } from "esbuild";
import { dirname, relative, resolve } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { buildDefinitions, readBuildInfo } from "./build-info.ts";
import type { Daemon } from "../daemons.ts";
import { packageFolder } from "../sbom/npm-components.ts";
import { dynamicCommonJs } from "./dynamic-imports.ts";

/** A file of the bundles: its name inside the bundle folder, and its bytes. */
export interface BundleFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The bundles of the daemons, and what they were made of. */
export interface Bundles {
  /** Sorted by name. */
  readonly files: readonly BundleFile[];
  /** Folders of the npm packages of which something is in the files, sorted. */
  readonly npmPackages: readonly string[];
}

/**
 * Bundles the daemons into ES modules without any dependency.
 *
 * Code that several daemons share is in common chunks, code behind `import()` in chunks of its own. Names stay readable
 * in stack traces. The same commit gives the same bytes, wherever the sources lie.
 *
 * @param version What they say their version is. @default that of the sources
 * @throws OsError `image/bundle` with the first errors of the bundler.
 */
export async function bundleDaemons(daemons: readonly Daemon[], version?: string): Promise<Bundles> {
  const first = daemons[0];
  if (first === undefined) return { files: [], npmPackages: [] };
  const result = await build({
    entryPoints: Object.fromEntries(
      daemons.flatMap(({ name, entry, workers = {} }) => [[name, entry], ...Object.entries(workers)]),
    ),
    absWorkingDir: dirname(first.entry),
    outdir: "/bundle",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node26",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    // One character beyond Latin-1 makes V8 keep a whole file with two bytes for each.
    charset: "ascii",
    logLevel: "silent",
    define: buildDefinitions({
      ...(await readBuildInfo(dirname(first.entry))),
      ...(version !== undefined && { version }),
    }),
    // Packages in CommonJS form ask for built-in modules through `require`.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  }).catch((err: unknown) => {
    throw bundleError(daemons, err);
  });
  const [wrong] = dynamicCommonJs(result.metafile);
  if (wrong !== undefined) throw bundleError(daemons, new Error(`${wrong} on demand, a CommonJS package`));
  const files = result.outputFiles
    .map((file) => ({ name: relative("/bundle", file.path), content: file.contents }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files, npmPackages: usedPackages(result.metafile, dirname(first.entry)) };
}

function usedPackages(metafile: Metafile, directory: string): string[] {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = used.flatMap(([path]) => packageFolder(resolve(directory, path)) ?? []);
  return [...new Set(folders)].sort();
}

function bundleError(daemons: readonly Daemon[], cause: unknown): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "image/bundle",
    message: `Cannot bundle ${daemons.map(({ name }) => name).join(", ")}: ${describeError(cause)}`,
    next: "npm run typecheck",
    cause,
  });
}
