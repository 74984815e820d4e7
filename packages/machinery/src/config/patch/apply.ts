import type { Config } from "../config.ts";
import { applyJson6902 } from "./json6902.ts";
import type { Patch } from "./patch.ts";
import { applyStrategic } from "./strategic.ts";

/** Applies patches one after the other; the configuration given stays as it is. */
export function applyPatches(config: Config, patches: readonly Patch[]): Config {
  return patches.reduce(
    (current, patch) => (patch.kind === "strategic" ? applyStrategic(current, patch) : applyJson6902(current, patch)),
    config,
  );
}
