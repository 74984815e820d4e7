import { OsError } from "@talos-ts/base";
import type { PrintColumn, ResourceDefinition, Sensitivity } from "./resource-definition.ts";
import { singular } from "./singular.ts";

/** Describes what the author of a type says about it; the rest follows from the name. */
export interface ResourceTypeInfo {
  /** `<PluralCamelName>.<suffix>`. */
  readonly type: string;
  readonly defaultNamespace: string;
  /** Short names beside those that follow from the type. @default {[]} */
  readonly aliases?: readonly string[];
  /** @default {[]} */
  readonly printColumns?: readonly PrintColumn[];
  /** @default {""} */
  readonly sensitivity?: Sensitivity;
  /** Take only the given aliases. @default {false} */
  readonly skipAutomaticAliases?: boolean;
}

/** Rules for a name, in the order in which they are checked. */
const rules: readonly (readonly [problem: string, holds: (name: string, suffix: string) => boolean])[] = [
  ["name is empty", (name) => name !== ""],
  ["suffix is empty", (_, suffix) => suffix !== ""],
  ["name should be in CamelCase", (name) => name.toLowerCase() !== name],
  [`name doesn't match "^[A-Z][A-Za-z0-9-]+$"`, (name) => /^[A-Z][A-Za-z0-9-]+$/.test(name)],
  [
    String.raw`suffix doesn't match "^[a-z][a-z0-9-]+(\\.[a-z][a-z0-9-]+)*$"`,
    (_, suffix) => /^[a-z][a-z0-9-]+(\.[a-z][a-z0-9-]+)*$/.test(suffix),
  ],
  ["name should be plural", (name) => singular(name) !== name],
];

/**
 * Derives the definition of a type. `BlockDevices.block.talos.dev` is shown as `BlockDevice`, known to people as
 * `blockdevice`, `bd` and `bds`, and also found as `blockdevices`, `blockdevices.block` and `blockdevices.block.talos`.
 *
 * @throws {OsError} `cosi/bad-type-name`
 */
export function resourceDefinitionOf(info: ResourceTypeInfo): ResourceDefinition {
  const dot = info.type.indexOf(".");
  if (dot === -1) throw badName(info.type, "missing suffix");
  const name = info.type.slice(0, dot);
  const suffix = info.type.slice(dot + 1);
  const broken = rules.find(([, holds]) => !holds(name, suffix));
  if (broken !== undefined) throw badName(info.type, broken[0]);

  const displayType = singular(name);
  const automatic = info.skipAutomaticAliases !== true;
  const aliases = [...(info.aliases ?? []), ...(automatic ? shortNames(name, displayType) : [])];
  return {
    type: info.type,
    displayType,
    defaultNamespace: info.defaultNamespace,
    aliases,
    allAliases: [...(automatic ? longNames(name, suffix) : []), ...aliases],
    printColumns: info.printColumns ?? [],
    sensitivity: info.sensitivity ?? "",
  };
}

/** The id under which a type's definition is stored. */
export function definitionId(type: string): string {
  return type.toLowerCase();
}

/** The singular, and the initials with and without the s of a plural. */
function shortNames(name: string, displayType: string): readonly string[] {
  const initials = name.replace(/[^A-Z]/g, "").toLowerCase();
  if (initials.length < 2) return [displayType.toLowerCase()];
  return [displayType.toLowerCase(), initials, ...(initials.endsWith("s") ? [] : [`${initials}s`])];
}

/** The plural with more and more of the suffix, but never all of it. */
function longNames(name: string, suffix: string): readonly string[] {
  const parts = suffix.split(".");
  return parts.map((_, count) => [name.toLowerCase(), ...parts.slice(0, count)].join("."));
}

function badName(type: string, problem: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cosi/bad-type-name",
    message: `error validating resource definition ${JSON.stringify(type)}: ${problem}`,
  });
}
