import type { Resource } from "@talos-ts/cosi";
import { loadConfig, type Config } from "@talos-ts/machinery/config";

/**
 * Memo of {@link parsedConfig}: every controller that reads the configuration asks for the same resource. It keeps nothing
 * alive.
 */
const parsed = new WeakMap<Resource<string>, Config>();

/**
 * The configurations that were read last, by their text: what was checked and taken over the API is not read again, which
 * could take PID 1 longer than it may.
 */
const recent: Config[] = [];
const maxRecent = 4;

/** Keeps a configuration for the resource that will hold its text. */
export function rememberConfig(config: Config): void {
  if (config.source === undefined || recent.includes(config)) return;
  recent.unshift(config);
  recent.length = Math.min(recent.length, maxRecent);
}

/**
 * Parses the text of a `MachineConfig` resource.
 * @throws when the text is not valid; it was checked before it was stored, so this is a defect and not a user's error
 */
export function parsedConfig(resource: Resource<string>): Config {
  const known = parsed.get(resource);
  if (known !== undefined) return known;
  const config = recent.find(({ source }) => source === resource.spec) ?? loadConfig(resource.spec);
  parsed.set(resource, config);
  return config;
}
