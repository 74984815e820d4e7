import { access } from "node:fs/promises";
import { join } from "node:path";

/** Those of the folders that hold an OCI image layout, in their order. */
export async function presentLayouts(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    try {
      await access(join(folder, "oci-layout"));
      found.push(folder);
    } catch {
      // Not mounted, or something else is there.
    }
  }
  return found;
}
