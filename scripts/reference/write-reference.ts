/** Writes `docs/reference` from the definitions of commands, resources, roles and configuration documents. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { documentSchemas, referencePages } from "@talos-ts/machinery/config";
import { commandEntries } from "@talos-ts/talosctl";
import { readFileSync } from "node:fs";
import { root } from "../lib/step.ts";
import { commandPage } from "./command-page.ts";
import { readMeanings, resourcePage } from "./resource-page.ts";
import { rolePage } from "./role-page.ts";

const machinery = join(root, "packages/machinery/src");
const folder = join(root, "docs/reference");

async function resourceSources(): Promise<readonly string[]> {
  const files = await readdir(join(machinery, "resources"), { recursive: true });
  return Promise.all(
    files.filter((file) => file.endsWith(".ts")).map((file) => readFile(join(machinery, "resources", file), "utf8")),
  );
}

const example = (name: string): string =>
  readFileSync(join(machinery, "config/documents/testdata", `${name}_min.yaml`), "utf8");
const config = [...referencePages(documentSchemas(), example)];

const pages: ReadonlyMap<string, string> = new Map([
  ["talosctl.md", await commandPage(commandEntries)],
  ["resources.md", resourcePage(readMeanings(await resourceSources()))],
  ["roles.md", rolePage()],
  ...config.map(([name, text]) => [`config/${name}`, text] as const),
]);

for (const file of await readdir(folder, { recursive: true }))
  if (file.endsWith(".md") && !pages.has(file)) await rm(join(folder, file));
for (const [file, text] of pages) {
  const path = join(folder, file);
  const old = await readFile(path, "utf8").catch(() => undefined);
  if (old === text) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
