/**
 * Writes everything that is derived: protobuf code from `api/`, TypeScript project files from the layers table, and
 * `docs/reference` from the definitions in the code.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layers, leaves, type Layer } from "../layers.ts";
import { root, step } from "../lib/step.ts";

/** `proto` ships declarations, so nothing has to be built before it can be referenced. */
const declarationsOnly = new Set<string>(["proto"]);

async function writeIfChanged(path: string, content: string): Promise<void> {
  const old = await readFile(path, "utf8").catch(() => undefined);
  if (old !== content) await writeFile(path, content);
}

function project(up: string, name: string, include: string, references: readonly string[]): string {
  return `${JSON.stringify(
    {
      extends: `${up}/tsconfig.base.json`,
      compilerOptions: {
        outDir: `${up}/.cache/types/${name}`,
        tsBuildInfoFile: `${up}/.cache/types/${name}.tsbuildinfo`,
      },
      include: [include],
      references: references.map((path) => ({ path })),
    },
    null,
    2,
  )}\n`;
}

async function projects(): Promise<void> {
  const built = (Object.keys(layers) as Layer[]).filter((name) => !declarationsOnly.has(name));
  for (const name of built) {
    const above = layers[name].filter((other) => !declarationsOnly.has(other));
    await mkdir(join(root, "packages", name), { recursive: true });
    const references = above.map((other) => `../${other}`);
    await writeIfChanged(join(root, "packages", name, "tsconfig.json"), project("../..", name, "src", references));
  }
  const all = built.map((name) => `packages/${name}`);
  for (const name of leaves) {
    await writeIfChanged(
      join(root, name, "tsconfig.json"),
      project(
        "..",
        name,
        "**/*.ts",
        [...all, "scripts"].map((path) => `../${path}`),
      ),
    );
  }
  const solution = { files: [], references: [...all, ...leaves, "scripts"].map((path) => ({ path })) };
  await writeIfChanged(join(root, "tsconfig.json"), `${JSON.stringify(solution, null, 2)}\n`);
  const above = all.map((path) => `../${path}`);
  await writeIfChanged(join(root, "scripts/tsconfig.json"), project("..", "scripts", "**/*.ts", above));
}

await step("generate protobuf code", "buf", ["generate"]);
await projects();
await step("format generated project files", "oxfmt", ["tsconfig.json", "**/tsconfig.json"]);
// A process of its own: it imports the protobuf code that was written above.
const quiet = "--disable-warning=ExperimentalWarning";
await step("write reference pages", process.execPath, [quiet, "scripts/reference/write-reference.ts"]);
