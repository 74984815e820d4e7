/** Finds exported values that no other file uses, or only their own specs. */
import { dirname, join } from "node:path/posix";

/** An exported value without a user. */
export interface UnusedExport {
  /** `path:line` of its declaration. */
  readonly place: string;
  readonly name: string;
  /** `unused`: no file imports it. `test-only`: only specs import it, and its own file does not need it either. */
  readonly problem: "unused" | "test-only";
}

/** Finds the file behind an import: a path relative to the root, or `undefined` for what is not part of the repository. */
export type ResolveImport = (specifier: string, from: string) => string | undefined;

interface Link {
  readonly from: string;
  /** Names as the other file declares them; `*` for all. */
  readonly names: "*" | readonly { readonly name: string; readonly as: string }[];
}

interface ModuleLinks {
  readonly imports: readonly Link[];
  readonly reexports: readonly Link[];
}

const declaration = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class) +(\w+)/gm;
const statement = /^(import|export) (?:type )?([^;"`]*?)\s*\bfrom "([^"]+)"/gm;
/** `const { a } = await import("b")`, `(await import("b")).a`; any other form uses all that a file exports. */
const dynamicImport = /(?:(\{[^{}]*\}) = await )?\bimport\("([^"]+)"\)(?:\)\.(\w+))?/g;

function names(clause: string): Link["names"] {
  const [, list] = /\{([^}]*)\}/.exec(clause) ?? [];
  if (list === undefined) return "*";
  return list.split(",").flatMap((entry) => {
    const [name = "", as = name] = entry
      .trim()
      .replace(/^type /, "")
      .split(" as ");
    return name === "" ? [] : [{ name, as }];
  });
}

function readLinks(text: string): ModuleLinks {
  const imports: Link[] = [...text.matchAll(dynamicImport)].map(([, pattern, from = "", property]) => ({
    from,
    names: names(pattern?.replaceAll(/: \w+/g, "") ?? (property === undefined ? "" : `{ ${property} }`)),
  }));
  const reexports: Link[] = [];
  for (const [, keyword, clause = "", from = ""] of text.matchAll(statement)) {
    (keyword === "import" ? imports : reexports).push({ from, names: names(clause) });
  }
  return { imports, reexports };
}

/** Resolves a relative import. */
export const resolveRelative: ResolveImport = (specifier, from) =>
  specifier.startsWith(".") ? join(dirname(from), specifier) : undefined;

/**
 * Lists exported constants, functions and classes without a user. Types are left out: the signatures of what is used need them.
 *
 * @param files Source text by path. Declarations and imports are read as the formatter writes them, at the start of a line.
 * @param isSpec Tells files that prove others and are no reason for those to exist.
 * @param isTest Tells files whose exports are there for specs.
 */
export function unusedExports(
  files: ReadonlyMap<string, string>,
  resolve: ResolveImport,
  isSpec: (path: string) => boolean,
  isTest: (path: string) => boolean,
): UnusedExport[] {
  const links = new Map([...files].map(([path, text]) => [path, readLinks(text)]));
  const users = new Map<string, Set<string>>();
  const marked = new Set<string>();

  /** Marks a name of a file as used by `user`, through re-exports up to its declaration. */
  function mark(path: string, name: string, user: string): void {
    const key = `${path} ${name} ${user}`;
    if (marked.has(key)) return;
    marked.add(key);
    const entry = `${path} ${name}`;
    users.set(entry, (users.get(entry) ?? new Set()).add(user));
    for (const { from, names: passed } of links.get(path)?.reexports ?? []) {
      const target = resolve(from, path);
      if (target === undefined) continue;
      if (passed === "*") mark(target, name, user);
      else for (const each of passed) if (name === "*" || each.as === name) mark(target, each.name, user);
    }
  }

  for (const [path, { imports }] of links) {
    for (const { from, names: wanted } of imports) {
      const target = resolve(from, path);
      if (target === undefined) continue;
      for (const { name } of wanted === "*" ? [{ name: "*" }] : wanted) mark(target, name, path);
    }
  }

  const declaring = [...files].filter(([path]) => !isSpec(path));
  return declaring.flatMap(([path, text]) =>
    [...text.matchAll(declaration)].flatMap(({ 1: name = "", index }): UnusedExport[] => {
      const importers = [...(users.get(`${path} ${name}`) ?? []), ...(users.get(`${path} *`) ?? [])];
      const place = `${path}:${String(text.slice(0, index).split("\n").length)}`;
      if (importers.length === 0) return [{ place, name, problem: "unused" }];
      const needed = isTest(path) || !importers.every(isSpec) || usedInside(text, name);
      return needed ? [] : [{ place, name, problem: "test-only" }];
    }),
  );
}

/** Reports whether a file mentions one of its own names outside comments, besides where it declares it. */
function usedInside(text: string, name: string): boolean {
  const code = text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  return (code.match(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, "g")) ?? []).length > 1;
}
