import { stat } from "node:fs/promises";

/** Reports whether a path leads to a file or folder; symbolic links are followed, and a path that cannot be read counts as absent. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
