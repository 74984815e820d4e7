import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createResource, exclusive, reduceController, type Controller, type Resource } from "@talos-ts/cosi";
import { SBOMItem, type SBOMItemSpec } from "@talos-ts/machinery/resources/runtime";
import { spdxItems } from "./internal/spdx-items.ts";

/** Folders with bills of materials: of the image, and of system extensions. */
const folders = [
  { path: "/usr/share/spdx", extension: false },
  { path: "/usr/local/share/spdx", extension: true },
] as const;

const suffix = ".spdx.json";

/** Publishes the packages of every SPDX document of the image, read once. */
export function sbomItemController(machine: { readonly root: string }): Controller {
  return reduceController({
    name: "runtime.SBOMItemController",
    inputs: [],
    outputs: [exclusive(SBOMItem)],
    async reduce() {
      const items = await Promise.all(folders.map(({ path, extension }) => readFolder(machine.root, path, extension)));
      return resources(items.flat());
    },
  });
}

async function readFolder(root: string, folder: string, extension: boolean): Promise<SBOMItemSpec[]> {
  const names = await readdir(join(root, folder)).catch((err: unknown): string[] => {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw err;
  });
  const paths = names.filter((name) => name.endsWith(suffix)).sort();
  const read = async (name: string): Promise<SBOMItemSpec[]> => {
    const path = join(root, folder, name);
    return spdxItems(await readFile(path, "utf8"), path, extension);
  };
  return (await Promise.all(paths.map(read))).flat();
}

/** The id is the name, as clients expect; further versions of a name are told apart by `name@version`. */
function resources(items: readonly SBOMItemSpec[]): Resource<SBOMItemSpec>[] {
  const byId = new Map<string, SBOMItemSpec>();
  for (const item of items) {
    const known = byId.get(item.name);
    const same = known === undefined || (known.version === item.version && known.extension === item.extension);
    byId.set(same ? item.name : `${item.name}@${item.version}`, item);
  }
  return [...byId].map(([id, spec]) => createResource(SBOMItem, id, spec));
}
