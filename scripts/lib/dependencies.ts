/** Compares what a package declares in its manifest with what its files import. */
import { builtinModules } from "node:module";

/** The fields of `package.json` that this looks at. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  readonly text: string;
  /** Specs and their helpers are not part of what a package ships. */
  readonly isTest: boolean;
}

/** Reports whether a file of a package is a spec or a helper of specs. */
export function isTestPath(path: string): boolean {
  return /\.spec\.ts$|(?:^|\/)testing[./-]/.test(path);
}

/** Static imports and re-exports begin a line; dynamic imports stand anywhere. */
const specifiers = /^(?:import|export)\b[^;"`]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Names of the packages that a source text imports, without builtin modules and relative paths. */
export function importedPackages(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, from, bare, dynamic] of text.matchAll(specifiers)) {
    const specifier = from ?? bare ?? dynamic ?? "";
    if (/^[./#]|^node:|^data:/.test(specifier) || builtinModules.includes(specifier)) continue;
    const parts = specifier.split("/");
    names.add(parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/"));
  }
  return names;
}

/**
 * Lists differences between a manifest and the imports of a package, one sentence each; empty when there are none.
 *
 * Shipped files need `dependencies`; files of tests may also use `devDependencies`, of the package or (`shared`) of the workspace.
 */
export function dependencyProblems(
  manifest: Manifest,
  files: readonly SourceFile[],
  shared: ReadonlySet<string> = new Set(),
): string[] {
  const used = (wanted: boolean): Set<string> =>
    files
      .filter(({ isTest }) => isTest === wanted)
      .reduce((names, { text }) => names.union(importedPackages(text)), new Set<string>());
  const [shipped, tested] = [used(false), used(true)];
  const runtime = new Set(Object.keys(manifest.dependencies ?? {}));
  const development = new Set(Object.keys(manifest.devDependencies ?? {}));
  const known = new Set([manifest.name, ...runtime]);
  const say = (names: ReadonlySet<string>, sentence: (name: string) => string): string[] =>
    [...names].sort().map(sentence);
  return [
    ...say(shipped.difference(known), (name) => `${manifest.name} imports ${name}: declare it in dependencies`),
    ...say(tested.difference(shipped).difference(known).difference(development).difference(shared), (name) => {
      return `${manifest.name} imports ${name} in tests: declare it in devDependencies`;
    }),
    ...say(runtime.difference(shipped), (name) =>
      tested.has(name)
        ? `${manifest.name} imports ${name} in tests only: move it to devDependencies`
        : `${manifest.name} declares ${name} in dependencies and does not import it: remove it`,
    ),
    ...say(development.difference(tested), (name) => {
      return `${manifest.name} declares ${name} in devDependencies and no test imports it: remove it`;
    }),
  ];
}
