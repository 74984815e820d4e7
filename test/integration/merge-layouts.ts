import { copyFile, link, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Index {
  readonly manifests: readonly { readonly digest: string; readonly annotations?: Readonly<Record<string, string>> }[];
}

/** Makes one image layout with the images of several. */
export async function mergeLayouts(layouts: readonly string[], folder: string): Promise<void> {
  await mkdir(join(folder, "blobs/sha256"), { recursive: true });
  const indexes: Index[] = [];
  for (const layout of layouts) {
    await linkBlobs(layout, folder);
    indexes.push(JSON.parse(await readFile(join(layout, "index.json"), "utf8")) as Index);
  }
  const entries = new Map<string, Index["manifests"][number]>();
  for (const entry of indexes.flatMap(({ manifests }) => manifests)) entries.set(JSON.stringify(entry), entry);
  await writeFile(join(folder, "index.json"), JSON.stringify({ ...indexes[0], manifests: [...entries.values()] }));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
}

/** Puts the blobs of a layout into another one too. */
export async function linkBlobs(layout: string, folder: string): Promise<void> {
  for (const name of await readdir(join(layout, "blobs/sha256"))) {
    const [from, to] = [join(layout, "blobs/sha256", name), join(folder, "blobs/sha256", name)];
    // Folders of temporary files are often another file system. Layouts share blobs.
    await link(from, to).catch(async (err: unknown) => {
      if ((err as NodeJS.ErrnoException).code !== "EEXIST") await copyFile(from, to);
    });
  }
}
