import type { Metafile } from "esbuild";

/**
 * Lists the places where sources load a CommonJS package with `import()`.
 *
 * In a bundle such a namespace has a default export only, while the sources find the named ones as well: what works in tests
 * would fail in what ships. Import the package statically in a module of our own, and load that one on demand.
 */
export function dynamicCommonJs({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === "dynamic-import" && inputs[path]?.format === "cjs")
      .map(({ original, path }) => `${file} loads ${original ?? path}`),
  );
}
