import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { readOptional, writeDurably } from "@talos-ts/host";
import { PlatformConfig, type PlatformConfigSpec } from "@talos-ts/machinery/resources/network";
import { parse, stringify } from "yaml";

const fileName = "platform-network.yaml";

/**
 * Reads what the platform said last time from a folder; `undefined` when nothing is kept there.
 *
 * @throws OsError `network/bad-platform-config` when the file is damaged
 */
export async function loadPlatformConfig(folder: string): Promise<PlatformConfigSpec | undefined> {
  const path = join(folder, fileName);
  const bytes = await readOptional(path);
  return bytes === undefined ? undefined : parsePlatformConfig(bytes.toString(), path);
}

/**
 * Parses a network configuration of the platform from YAML.
 *
 * @param source Where the text is from, for the error.
 * @throws OsError `network/bad-platform-config`
 */
export function parsePlatformConfig(text: string, source: string): PlatformConfigSpec {
  try {
    return PlatformConfig.body.fromPlain(parse(text));
  } catch (cause) {
    throw new OsError({
      kind: "data-loss",
      code: "network/bad-platform-config",
      message: `Cannot read the network configuration of the platform from ${source}: ${describeError(cause)}`,
      cause,
    });
  }
}

/** Keeps what the platform says in a folder; a disk that has it already is not written to. */
export async function storePlatformConfig(folder: string, spec: PlatformConfigSpec): Promise<void> {
  const path = join(folder, fileName);
  const text = stringify(PlatformConfig.codec.toPlain(spec), yamlStyle);
  const kept = await readOptional(path).catch(() => undefined);
  if (kept?.toString() === text) return;
  await writeDurably(path, text, 0o400);
}

/** As Go's YAML is written and read: words such as `on` are text, and nothing is folded. */
const yamlStyle = { version: "1.1", indent: 4, lineWidth: 0, aliasDuplicateObjects: false } as const;
