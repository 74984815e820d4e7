import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed with everything in it when it is disposed. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates an empty folder below the system's temporary folder.
 *
 * @param prefix Start of the folder's name. @default {"talos-ts-"}
 */
export async function temporaryDirectory(prefix = "talos-ts-"): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
