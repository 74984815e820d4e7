/** Finds exported symbols of a package that have no documentation comment. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A symbol that others can import and that no comment explains. */
export interface Undocumented {
  /** `path:line`, the path inside the package. */
  readonly place: string;
  readonly name: string;
}

interface Declaration {
  readonly line: number;
  readonly documented: boolean;
  /** A constant of the same file that the symbol is derived from with `typeof`; its comment is the symbol's. */
  readonly derivedFrom: string | undefined;
}

interface SourceModule {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Names that come from another file, under the names they have there; `*` for all. */
  readonly reexports: readonly { readonly from: string; readonly names: "*" | readonly string[] }[];
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|type|const|let|function\*?|class) +(\w+)(.*)$/;
const reexport = /^export (?:type )?(?:\*|\{([^}]*)\}) from "(\.[^"]+)";/gm;

/** Reads what a module declares and passes on. Only declarations at the start of a line are seen, which the formatter ensures. */
function readSourceModule(text: string): SourceModule {
  const lines = text.split("\n");
  const declarations = new Map<string, Declaration>();
  for (const [index, line] of lines.entries()) {
    const [, name, rest = ""] = declaration.exec(line) ?? [];
    if (name === undefined) continue;
    const documented = (lines[index - 1] ?? "").trimEnd().endsWith("*/");
    if (declarations.get(name)?.documented === true) continue;
    const statement = `${rest} ${lines[index + 1] ?? ""}`;
    declarations.set(name, { line: index + 1, documented, derivedFrom: /\btypeof (\w+)/.exec(statement)?.[1] });
  }
  const reexports = [...text.matchAll(reexport)].map(([, names, from = ""]) => ({
    from,
    names: names === undefined ? ("*" as const) : names.split(",").flatMap(originalName),
  }));
  return { declarations, reexports };
}

function originalName(entry: string): string[] {
  const [name = ""] = entry
    .trim()
    .replace(/^type /, "")
    .split(" as ");
  return name === "" ? [] : [name];
}

/**
 * Lists the symbols that can be imported through the entrances of a package and have no comment, each once.
 *
 * @param root Folder of the package.
 * @param entrances Files that its `exports` lead to, inside that folder.
 */
export function undocumentedExports(root: string, entrances: readonly string[]): Undocumented[] {
  const modules = new Map<string, SourceModule>();
  const load = (path: string): SourceModule => {
    const module = modules.get(path) ?? readSourceModule(existsSync(path) ? readFileSync(path, "utf8") : "");
    modules.set(path, module);
    return module;
  };
  const found = new Map<string, Undocumented>();
  const visited = new Set<string>();

  function visit(path: string, wanted: "*" | readonly string[]): void {
    const key = `${path} ${String(wanted)}`;
    if (visited.has(key)) return;
    visited.add(key);
    const { declarations, reexports } = load(path);
    for (const [name, { line, documented, derivedFrom }] of declarations) {
      if ((wanted !== "*" && !wanted.includes(name)) || documented) continue;
      if (derivedFrom !== undefined && declarations.get(derivedFrom)?.documented === true) continue;
      const place = `${relative(root, path)}:${String(line)}`;
      found.set(place, { place, name });
    }
    for (const { from, names } of reexports) {
      const selected = wanted === "*" ? names : names === "*" ? wanted : names.filter((name) => wanted.includes(name));
      visit(join(dirname(path), from), selected);
    }
  }

  for (const entrance of entrances) visit(join(root, entrance), "*");
  return [...found.values()];
}
