import type { ArgValues } from "@talos-ts/machinery/resources/k8s";
import type { Arguments } from "../../command-line/arguments.ts";

/** Arguments as the configuration has them: one value or a list of them. */
export function argumentsFromConfig(given: Readonly<Record<string, string | readonly string[]>> = {}): Arguments {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? [value] : value]),
  );
}

/** Arguments as resources have them. */
export function argumentsFromResource(given: Readonly<Record<string, ArgValues>>): Arguments {
  return Object.fromEntries(Object.entries(given).map(([name, { values }]) => [name, values]));
}

/** The opposite of `argumentsFromResource`. */
export function argumentsForResource(args: Arguments): Readonly<Record<string, ArgValues>> {
  return Object.fromEntries(Object.entries(args).map(([name, values]) => [name, { values }]));
}
