import { loadConfig, type Config } from "@talos-ts/machinery/config";

/** Configurations that were parsed lately, by their text: every controller that reads the config asks for the same one. */
const recent = new Map<string, Config>();
const capacity = 4;

/**
 * The configuration behind the text of a `MachineConfig` resource.
 * @throws when the text is not valid; what is stored was checked before, so this is a defect and not a user's error
 */
export function parsedConfig(text: string): Config {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const config = loadConfig(text);
  if (recent.size >= capacity) for (const oldest of recent.keys()) if (recent.delete(oldest)) break;
  recent.set(text, config);
  return config;
}
