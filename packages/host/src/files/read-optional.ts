import { readFile } from "node:fs/promises";
import { isKind, OsError } from "@talos-ts/base";

/** The contents of a file; `undefined` when there is none. */
export async function readOptional(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((err: unknown) => {
    if (isKind(OsError.from(err), "not-found")) return undefined;
    throw err;
  });
}
