import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildDefinitions, dynamicCommonJs, readBuildInfo } from "@talos-ts/imager";
import { build, type Plugin } from "esbuild";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { root } from "./step.ts";

/**
 * The parser of command lines can start other programs as subcommands. Ours never does, and loading what that needs (half of the
 * network code, all kinds of streams) would take a third of the start-up time.
 */
const withoutSubprograms: Plugin = {
  name: "without-subprograms",
  setup(plugin) {
    plugin.onResolve({ filter: /^node:(child_process|fs)$/ }, ({ path, importer }) =>
      importer.includes("/node_modules/commander/") ? { path, namespace: "unused" } : undefined,
    );
    plugin.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "export default {};" }));
  },
};

/**
 * Bundles the command line into parts that load when their command is called: a tenth of the start-up time of the sources.
 *
 * It lies beside the sources, because `cluster create` builds images from them.
 */
export async function bundleTalosctl(): Promise<void> {
  // Made elsewhere and moved: clients that run meanwhile, as the supervisor of a cluster does, load parts of it on demand.
  const outdir = join(root, `.cache/talosctl-${String(process.pid)}`);
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { main: join(root, "packages/talosctl/src/main.ts") },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    metafile: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node26",
    minify: true,
    keepNames: false,
    external: ["esbuild"],
    define: buildDefinitions(await readBuildInfo(root)),
    plugins: [withoutSubprograms, lazyBuiltins],
    logLevel: "error",
    banner: {
      js: "let __require;const require=(name)=>(__require??=process.getBuiltinModule('module').createRequire(import.meta.url))(name);",
    },
  });
  const wrong = dynamicCommonJs(metafile);
  if (wrong.length > 0) throw new Error(`CommonJS packages are loaded on demand: ${wrong.join(", ")}`);
  const [dist, former] = [join(root, "packages/talosctl/dist"), `${outdir}-former`];
  await rename(dist, former).catch(() => undefined);
  await rename(outdir, dist);
  await rm(former, { recursive: true, force: true });
}
