import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OsError, writeDurably } from "@talos-ts/base";
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
  const text = await contentsOf(path);
  if (text === undefined) return undefined;
  try {
    return PlatformConfig.kind.fromPlain(parse(text));
  } catch (cause) {
    throw new OsError({
      kind: "data-loss",
      code: "network/bad-platform-config",
      message: `Cannot read the network configuration of the platform from ${path}: ${(cause as Error).message}`,
      cause,
    });
  }
}

/** Keeps what the platform says in a folder; a disk that has it already is not written to. */
export async function storePlatformConfig(folder: string, spec: PlatformConfigSpec): Promise<void> {
  const path = join(folder, fileName);
  const text = stringify(PlatformConfig.codec.toPlain(spec), yamlStyle);
  if ((await contentsOf(path).catch(() => undefined)) === text) return;
  await writeDurably(path, text, 0o400);
}

/** As Go's YAML is written and read: words such as `on` are text, and nothing is folded. */
const yamlStyle = { version: "1.1", indent: 4, lineWidth: 0, aliasDuplicateObjects: false } as const;

async function contentsOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((err: unknown) => {
    if (OsError.from(err).kind === "not-found") return undefined;
    throw err;
  });
}
