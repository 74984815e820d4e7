import type { Plugin } from "esbuild";

/**
 * Modules of Node.js of which the client imports functions only.
 *
 * Importing a built-in module evaluates everything it offers, even what it would load on demand: `node:util` opens stderr and
 * compiles a differ, `node:fs/promises` brings readline along. Together that is a third of what `talosctl version` does.
 */
const functionsOnly = new Set(["node:fs/promises", "node:timers/promises", "node:util"]);

/** Source of a module whose functions load the built-in one when they are first called. */
function onDemand(name: string): string {
  const module = process.getBuiltinModule(name) as Record<string, unknown> | undefined;
  const functions = Object.entries(module ?? {}).filter(
    ([key, value]) => typeof value === "function" && /^[a-z]/.test(key),
  );
  const load = `let module;\nconst load = () => (module ??= process.getBuiltinModule(${JSON.stringify(name)}));\n`;
  return load + functions.map(([key]) => `export const ${key} = (...args) => load().${key}(...args);\n`).join("");
}

/**
 * Puts off the loading of built-in modules in a bundle to the first call of one of their functions.
 *
 * Whoever imports something else of these modules, a class or a constant, fails to build.
 */
export const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup(plugin) {
    plugin.onResolve({ filter: /^node:/ }, ({ path }) =>
      functionsOnly.has(path) ? { path, namespace: "on-demand", sideEffects: false } : undefined,
    );
    plugin.onLoad({ filter: /.*/, namespace: "on-demand" }, ({ path }) => ({ contents: onDemand(path) }));
    // The global object is the module, without the standard streams that importing it would open.
    plugin.onResolve({ filter: /^node:process$/ }, ({ path }) => ({ path, namespace: "global" }));
    plugin.onLoad({ filter: /.*/, namespace: "global" }, () => ({ contents: "export default globalThis.process;" }));
  },
};
