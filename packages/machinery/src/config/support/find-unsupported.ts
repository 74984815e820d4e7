import type { Config } from "../config.ts";
import { unsupportedSettings, type UnsupportedSetting } from "./unsupported.ts";

/** Features that `gen config` turns on by itself: a person who did not ask for them is not warned. */
const silentDefaults: ReadonlySet<string> = new Set(["machine.features.diskQuotaSupport"]);

/**
 * Lists the settings of a configuration that nothing acts on, one sentence each.
 *
 * A field counts as set when it has a value other than `false`, an empty text, list or object.
 */
export function findUnsupported(config: Config): readonly string[] {
  return unsupportedSettings.flatMap((setting) =>
    valuesOf(config, setting).map((name) => {
      const instead = setting.instead ?? "nothing acts on it";
      return `${name} is accepted, but this version does not support it: ${instead}`;
    }),
  );
}

/** Names the places where a configuration uses a setting. */
function valuesOf(config: Config, { kind, path }: UnsupportedSetting): readonly string[] {
  if (kind === undefined) {
    if (path === undefined || silentDefaults.has(path)) return [];
    return isSet(config.main, path.split(".")) ? [path.replaceAll("[]", "")] : [];
  }
  return config.documents
    .filter((document) => document.kind === kind)
    .filter(({ value }) => path === undefined || isSet(value, path.split(".")))
    .map(({ name }) => `${kind}${name === "" ? "" : `/${name}`}${path === undefined ? "" : `, ${path}`}`);
}

function isSet(value: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return !isEmpty(value);
  if (typeof value !== "object" || value === null) return false;
  const next = (value as Readonly<Record<string, unknown>>)[step.replace("[]", "")];
  if (!step.endsWith("[]")) return isSet(next, rest);
  return Array.isArray(next) && next.some((item) => isSet(item, rest));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === false || value === "";
}
