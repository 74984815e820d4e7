import type { Link } from "@talos-ts/linux";

export function linkNames(links: readonly Link[]): ReadonlyMap<number, string> {
  return new Map(links.map(({ index, name }) => [index, name]));
}

/** A link by its name, or else by its alias or an alternative name. */
export function findLink(links: readonly Link[], name: string): Link | undefined {
  if (name === "") return undefined;
  return (
    links.find((link) => link.name === name) ??
    links.find((link) => link.alias === name || link.alternativeNames.includes(name))
  );
}
