import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { lazyBuiltins } from "./lazy-builtins.ts";

const folder = await mkdtemp(join(tmpdir(), "lazy-builtins-"));
after(() => rm(folder, { recursive: true }));

async function bundled(source: string): Promise<string> {
  const outfile = join(folder, "out.mjs");
  await writeFile(join(folder, "in.js"), source);
  await build({
    entryPoints: [join(folder, "in.js")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    plugins: [lazyBuiltins],
    logLevel: "silent",
  });
  return outfile;
}

test("lazyBuiltins loads a module when one of its functions is called, and not before", async () => {
  const program = await bundled(`
    import { stat } from "node:fs/promises";
    const loaded = () => process.moduleLoadList.includes("NativeModule fs/promises");
    const before = loaded();
    const folder = await stat(process.cwd());
    process._rawDebug(before, folder.isDirectory(), loaded());`);
  const { stderr } = await promisify(execFile)(process.execPath, [program]);
  assert.equal(stderr, "false true true\n");
});

test("lazyBuiltins gives the process without opening its streams", async () => {
  const program = await bundled(
    `import process from "node:process"; process._rawDebug(process === globalThis.process);`,
  );
  const { stderr } = await promisify(execFile)(process.execPath, [program]);
  assert.equal(stderr, "true\n");
});

test("lazyBuiltins refuses what is no function", async () => {
  await assert.rejects(bundled(`import { constants } from "node:fs/promises"; console.log(constants);`), /constants/);
});
