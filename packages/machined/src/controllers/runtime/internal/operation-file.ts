import { join } from "node:path";
import { isRecord, OsError } from "@talos-ts/base";
import { readOptional, writeDurably } from "@talos-ts/host";
import { Operation, type OperationSpec } from "@talos-ts/machinery/resources/runtime";

/** Operations by id. */
export type Operations = ReadonlyMap<string, OperationSpec>;

const fileName = "operations.json";
const texts = ["kind", "title", "step", "state", "error", "next", "started", "updated", "deadline"] as const;

/**
 * Reads the operations that were kept in a folder.
 *
 * @throws {OsError} `operation/bad-file` when the file is damaged
 */
export async function loadOperations(folder: string): Promise<Operations> {
  const path = join(folder, fileName);
  const bytes = await readOptional(path);
  if (bytes === undefined) return new Map();
  try {
    const entries: unknown = JSON.parse(bytes.toString());
    if (!isRecord(entries)) throw new TypeError("it is not an object");
    return new Map(Object.entries(entries).map(([id, value]) => [id, specOf(value)]));
  } catch (cause) {
    throw new OsError({
      kind: "data-loss",
      code: "operation/bad-file",
      message: `Cannot read former operations from ${path}: ${(cause as Error).message}`,
      cause,
    });
  }
}

/** Keeps operations in a folder. */
export async function storeOperations(folder: string, operations: Operations): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(operations), undefined, 2);
  await writeDurably(join(folder, fileName), `${text}\n`, 0o600);
}

function specOf(value: unknown): OperationSpec {
  if (!isRecord(value)) throw new TypeError("an operation is not an object");
  const { steps, done } = value;
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === "string") || typeof done !== "number") {
    throw new TypeError("an operation lacks its steps");
  }
  const fields = texts.map((name) => {
    const text = value[name];
    if (typeof text !== "string") throw new TypeError(`an operation lacks ${name}`);
    return [name, text] as const;
  });
  return Operation.spec({ ...Object.fromEntries(fields), steps, done });
}
