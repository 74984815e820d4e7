import type { Config } from "../config.ts";
import { makeConfig, makeDocument } from "../config.ts";
import { mainDocument, type MainConfig } from "../documents/v1alpha1/config.ts";
import { immediatePaths, rebootPaths } from "./apply-mode.ts";
import { diffConfigs } from "./diff.ts";

/** Why a change cannot be applied without a reboot, in the words clients know; nothing when it can. */
export function immediateProblem(current: Config | undefined, next: Config): string | undefined {
  if (current === undefined) return "no current config";
  if (current.main === undefined) return "current config is not v1alpha1";
  if (next.main === undefined) return "new config is not v1alpha1";
  if (rebootPaths(current, next).length === 0) return undefined;
  const wanted = immediatePaths.reduce<MainConfig>(
    (main, path) => copyPath(main, current.main ?? {}, path.split(".")),
    next.main,
  );
  const [before, after] = [current.main, wanted].map((main) => makeConfig([makeDocument(mainDocument, main)]));
  return `this config change can't be applied in immediate mode\ndiff:\n${diffConfigs(before, after)}`;
}

/** What applies at once is no part of the reason, so it is taken from the current configuration. */
function copyPath<T extends object>(target: T, source: object, [step = "", ...rest]: readonly string[]): T {
  const [old, value] = [source, target].map((object) => (object as Readonly<Record<string, unknown>>)[step]);
  if (rest.length === 0) return without(target, step, old);
  if (typeof old !== "object" || typeof value !== "object" || old === null || value === null) return target;
  return { ...target, [step]: copyPath(value, old, rest) };
}

function without<T extends object>(target: T, key: string, value: unknown): T {
  const entries = Object.entries(target).filter(([name]) => name !== key);
  return Object.fromEntries(value === undefined ? entries : [...entries, [key, value]]) as T;
}
