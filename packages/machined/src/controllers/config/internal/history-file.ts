import { join } from "node:path";
import { describeError, isRecord, OsError } from "@talos-ts/base";
import { readOptional, writeDurably } from "@talos-ts/host";
import type { MachineConfigHistorySpec } from "@talos-ts/machinery/resources/config";

/** A configuration that the machine was ready with, and its number. */
export interface HistoryEntry extends MachineConfigHistorySpec {
  readonly number: number;
}

const fileName = "config-history.json";

/**
 * Reads the configurations that were kept in a folder, oldest first.
 *
 * @throws {OsError} `config/bad-history` when the file is damaged
 */
export async function loadHistory(folder: string): Promise<readonly HistoryEntry[]> {
  const path = join(folder, fileName);
  const bytes = await readOptional(path);
  if (bytes === undefined) return [];
  try {
    const entries: unknown = JSON.parse(bytes.toString());
    if (!Array.isArray(entries)) throw new TypeError("it is not a list");
    return entries.map(entryOf);
  } catch (cause) {
    throw new OsError({
      kind: "data-loss",
      code: "config/bad-history",
      message: `Cannot read the configuration history from ${path}: ${describeError(cause)}`,
      cause,
    });
  }
}

/** Keeps configurations in a folder; they hold secrets, so nobody else may read them. */
export async function storeHistory(folder: string, entries: readonly HistoryEntry[]): Promise<void> {
  await writeDurably(join(folder, fileName), `${JSON.stringify(entries, undefined, 2)}\n`, 0o600);
}

function entryOf(value: unknown): HistoryEntry {
  if (!isRecord(value)) throw new TypeError("an entry is not an object");
  const { number, readySince, digest, config } = value;
  if (
    typeof number !== "number" ||
    typeof readySince !== "string" ||
    typeof digest !== "string" ||
    typeof config !== "string"
  ) {
    throw new TypeError("an entry lacks a field");
  }
  return { number, readySince, digest, config };
}
