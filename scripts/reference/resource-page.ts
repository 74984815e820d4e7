import { resourceDefinitions, resourceTypes } from "@talos-ts/machinery/resources";
import { code, table } from "./markdown.ts";

/**
 * The page about every resource type.
 *
 * @param meanings one line per type, from the comment above its definition
 */
export function resourcePage(meanings: ReadonlyMap<string, string>): string {
  const known = new Set(resourceTypes.map(({ type }) => type));
  const definitions = resourceDefinitions().filter(({ type }) => known.has(type));
  const uses = new Map<string, number>();
  for (const { allAliases } of resourceDefinitions())
    for (const alias of new Set(allAliases)) uses.set(alias, (uses.get(alias) ?? 0) + 1);
  const domains = Map.groupBy(definitions, ({ type }) => type.slice(type.indexOf(".") + 1));
  const sections = [...domains]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([domain, types]) => {
      const rows = types.map(({ type, displayType, aliases, defaultNamespace, printColumns, sensitivity }) => [
        `${code(displayType.toLowerCase())}${sensitivity === "" ? "" : " 🔒"}`,
        aliases
          .filter((alias) => alias !== displayType.toLowerCase() && uses.get(alias) === 1)
          .map(code)
          .join(" "),
        code(defaultNamespace),
        printColumns.map(({ name }) => name).join(", "),
        meanings.get(type) ?? "",
      ]);
      return `## ${domain}\n\n${table(["name", "also", "namespace", "columns", "what it tells"], rows)}\n`;
    });
  return [
    "# Resources",
    "",
    "Read them with `talosctl get <name>`; `-o yaml` shows the whole spec, `-w` follows changes. Aliases that fit several types are left out.",
    "🔒: for `os:admin` only. A type is listed when nodes register it; it is empty where the part of the system that fills it is missing.",
    "",
    ...sections,
  ].join("\n");
}

/** Finds the first sentence of the comment above a definition, by resource type. */
export function readMeanings(sources: readonly string[]): ReadonlyMap<string, string> {
  const pattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = defineResource\(\{\n\s+type: "([^"]+)"/g;
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(pattern)].map(([, comment = "", type = ""]) => [type, firstSentence(comment)] as const),
    ),
  );
}

function firstSentence(comment: string): string {
  const text = comment
    .replaceAll(/\n\s*\*( |$)?/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^.*?\.(?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}
