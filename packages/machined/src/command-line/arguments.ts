import { OsError } from "@talos-ts/base";

/** Flags of a program without the leading dashes; a flag with several values is given several times. */
export type Arguments = Readonly<Record<string, readonly string[]>>;

/**
 * Describes what becomes of a flag that the configuration sets as well:
 *
 * - `overwrite`: the configuration wins
 * - `additive`: the values are comma-separated lists, joined without duplicates
 * - `denied`: the configuration must not set it
 */
export type MergePolicy = "overwrite" | "additive" | "denied";

/**
 * Merges extra arguments of the machine configuration into those the machine chose.
 *
 * @param policies By flag. @default `overwrite` for every flag
 * @throws {OsError} `arguments/denied`
 */
export function mergeArguments(
  base: Arguments,
  extra: Arguments,
  policies: Readonly<Record<string, MergePolicy>> = {},
): Arguments {
  const merged: Record<string, readonly string[]> = { ...base };
  for (const [name, values] of Object.entries(extra)) {
    merged[name] = mergers[policies[name] ?? "overwrite"](name, base[name] ?? [], values);
  }
  return merged;
}

/** The command line, sorted by flag: `--name=value`. */
export function renderArguments(args: Arguments): readonly string[] {
  return Object.keys(args)
    .toSorted()
    .flatMap((name) => (args[name] ?? []).map((value) => `--${name}=${value}`));
}

/** Policies that keep the configuration from setting any of these flags. */
export function denyArguments(names: Iterable<string>): Readonly<Record<string, MergePolicy>> {
  return Object.fromEntries([...names].map((name) => [name, "denied"]));
}

type Merge = (name: string, base: readonly string[], extra: readonly string[]) => readonly string[];

const mergers: Readonly<Record<MergePolicy, Merge>> = {
  overwrite: (_name, _base, extra) => extra,
  additive: (_name, base, extra) => [[...new Set([...base, ...extra].flatMap(listed))].join(",")],
  denied(name) {
    throw new OsError({
      kind: "invalid-argument",
      code: "arguments/denied",
      message: `extra arg ${JSON.stringify(name)} is not allowed`,
      next: "talosctl edit machineconfig",
    });
  },
};

function listed(value: string): readonly string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
