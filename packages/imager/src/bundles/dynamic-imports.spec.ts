import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { build } from "esbuild";
import { dynamicCommonJs } from "./dynamic-imports.ts";

test("dynamicCommonJs names the file that loads a CommonJS module on demand, and no other", async () => {
  await using folder = await temporaryDirectory();
  const write = (name: string, text: string) => writeFile(join(folder.path, name), text);
  await write("old.cjs", "exports.stringify = () => 'x';");
  await write("new.mjs", "export const stringify = () => 'x';");
  await write("in.mjs", 'import "./old.cjs"; await import("./old.cjs"); await import("./new.mjs");');
  const { metafile } = await build({
    entryPoints: [join(folder.path, "in.mjs")],
    absWorkingDir: folder.path,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
  });
  assert.deepEqual(dynamicCommonJs(metafile), ["in.mjs loads ./old.cjs"]);
});
