import { nearest, OsError } from "@talos-ts/base";
import { resourceDefinitionOf, definitionId, metaTypeInfos, type ResourceDefinition } from "@talos-ts/cosi";
import { resourceTypes } from "./resource-types.ts";

let known: readonly ResourceDefinition[] | undefined;

/** Resource definitions of this version (`talosctl get rd`), ordered by id. */
export function resourceDefinitions(): readonly ResourceDefinition[] {
  known ??= [...metaTypeInfos, ...resourceTypes]
    .map(resourceDefinitionOf)
    .sort((a, b) => (definitionId(a.type) < definitionId(b.type) ? -1 : 1));
  return known;
}

/**
 * The definition a person means by a name: the canonical type or any alias, in any case of letters.
 *
 * @throws {OsError} not found, or invalid argument when the name fits several types
 */
export function findDefinition(definitions: readonly ResourceDefinition[], name: string): ResourceDefinition {
  const wanted = name.toLowerCase();
  const matched = definitions.filter(
    ({ type, allAliases }) =>
      definitionId(type) === wanted || allAliases.some((alias) => alias.toLowerCase() === wanted),
  );
  const [first, ...others] = matched;
  if (first === undefined) {
    const near = nearest(name, new Set(definitions.flatMap(({ allAliases }) => allAliases)));
    throw new OsError({
      kind: "not-found",
      code: "resource/not-registered",
      message: `resource ${JSON.stringify(name)} is not registered`,
      next: near === undefined ? "talosctl get rd" : `talosctl get ${near}, or talosctl get rd for all that there are`,
    });
  }
  if (others.length > 0) {
    const types = matched.map(({ type }) => definitionId(type));
    throw new OsError({
      kind: "invalid-argument",
      code: "resource/ambiguous-type",
      message: `resource type ${JSON.stringify(name)} is ambiguous: [${types.join(" ")}]`,
      next: `talosctl get ${types[0] ?? ""}`,
      details: { types },
    });
  }
  return first;
}
