import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { bundleDaemons } from "./bundle-daemons.ts";
import { systemDaemons, type Daemon } from "../daemons.ts";
import { runTool } from "@talos-ts/host";

const scratch = await mkdtemp(join(tmpdir(), "imager-bundle-"));
after(() => rm(scratch, { recursive: true }));

await mkdir(join(scratch, "one"));
await writeFile(join(scratch, "one/shared.ts"), `export const greet = (who: string): string => "hello " + who;\n`);
await writeFile(
  join(scratch, "one/a.ts"),
  `import { greet } from "./shared.ts";\nconst { default: lazy } = await import("./lazy.ts");\nconsole.log(greet(lazy));\n`,
);
await writeFile(join(scratch, "one/b.ts"), `import { greet } from "./shared.ts";\nconsole.log(greet("b"));\n`);
await writeFile(join(scratch, "one/lazy.ts"), `import old from "./old.cjs";\nexport default old;\n`);
await writeFile(join(scratch, "one/old.cjs"), `module.exports = require("node:path").basename("/x/world");\n`);
await writeFile(join(scratch, "one/direct.ts"), `console.log(await import("./old.cjs"));\n`);
await writeFile(join(scratch, "one/bad.ts"), `import "./nowhere.ts";\n`);
await cp(join(scratch, "one"), join(scratch, "two"), { recursive: true });

const daemons = (folder: string, names: readonly string[]): Daemon[] =>
  names.map((name) => ({ name, entry: join(scratch, folder, `${name}.ts`), program: `usr/bin/${name}`, flag: "--x" }));

test("bundleDaemons gives the same bytes wherever the sources lie", async () => {
  assert.deepEqual(await bundleDaemons(daemons("one", ["a", "b"])), await bundleDaemons(daemons("two", ["a", "b"])));
});

test("bundleDaemons makes programs that run alone, with lazy CommonJS parts", async () => {
  const out = join(scratch, "out");
  await mkdir(out);
  for (const { name, content } of (await bundleDaemons(daemons("one", ["a", "b"]))).files) {
    await writeFile(join(out, name), content);
  }
  assert.equal((await runTool(process.execPath, [join(out, "a.mjs")])).stdout, "hello world\n");
  assert.equal((await runTool(process.execPath, [join(out, "b.mjs")])).stdout, "hello b\n");
});

test("bundleDaemons names the npm packages that are in the bundles", async () => {
  const names = (await bundleDaemons(systemDaemons())).npmPackages.map((path) => path.replace(/^.*node_modules\//, ""));
  assert.ok(names.includes("@bufbuild/protobuf") && names.includes("yaml"), names.join(", "));
  assert.ok(!names.includes("esbuild"), "only what is in them");
});

test("bundleDaemons keeps the YAML library out of what daemons but machined load when they start", async () => {
  const system = await bundleDaemons(systemDaemons());
  const files = new Map(system.files.map(({ name, content }) => [name, Buffer.from(content).toString()]));
  const loaded = (name: string, seen = new Map<string, string>()): ReadonlyMap<string, string> => {
    const text = files.get(name) ?? "";
    if (seen.has(name)) return seen;
    seen.set(name, text);
    for (const [, next = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) loaded(next, seen);
    return seen;
  };
  const withYaml = ["apid", "dashboard", "machined", "trustd"].filter((daemon) =>
    [...loaded(`${daemon}.mjs`).values()].some((text) => text.includes("YAMLParseError")),
  );
  assert.deepEqual(withYaml, ["machined"]);
});

test("bundleDaemons refuses a CommonJS package that is loaded on demand without a module of ours around it", async () => {
  await assert.rejects(bundleDaemons(daemons("one", ["direct"])), {
    code: "image/bundle",
    message: /direct\.ts loads \.\/old\.cjs on demand/,
  });
});

test("bundleDaemons names the import that leads nowhere", async () => {
  await assert.rejects(
    bundleDaemons(daemons("one", ["bad"])),
    (err) => isCode(err, "image/bundle") && err.message.includes("./nowhere.ts"),
  );
});
