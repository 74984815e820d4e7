import type { Resource } from "@talos-ts/cosi";
import { loadConfig, type Config } from "@talos-ts/machinery/config";

/**
 * Memo of {@link parsedConfig}: every controller that reads the configuration asks for the same resource. It keeps nothing
 * alive.
 */
const parsed = new WeakMap<Resource<string>, Config>();

/**
 * Parses the text of a `MachineConfig` resource.
 * @throws when the text is not valid; it was checked before it was stored, so this is a defect and not a user's error
 */
export function parsedConfig(resource: Resource<string>): Config {
  const known = parsed.get(resource);
  if (known !== undefined) return known;
  const config = loadConfig(resource.spec);
  parsed.set(resource, config);
  return config;
}
