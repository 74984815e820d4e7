import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { exists } from "@talos-ts/host";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { patchModule, type PatchedModule } from "./patch-module.ts";

const module: PatchedModule = {
  path: "example.invalid/net",
  hash: {},
  folder: "net",
  keep: ["main.go", "backend"],
  without: [{ package: "backend/slow", importedBy: "main.go" }],
};

test("patchModule leaves a package and its import out, and tests; a second time gives the same", async () => {
  await using folder = await temporaryDirectory();
  const [from, to] = [join(folder.path, "from"), join(folder.path, "to")];
  await mkdir(join(from, "backend/slow"), { recursive: true });
  await mkdir(join(from, "backend/fast"), { recursive: true });
  const imports = ['\t_ "example.invalid/net/backend/fast"', '\t_ "example.invalid/net/backend/slow"'];
  await writeFile(join(from, "main.go"), ["package main", "import (", ...imports, ")", ""].join("\n"), { mode: 0o444 });
  for (const name of ["slow/a.go", "fast/a.go", "fast/a_test.go"]) await writeFile(join(from, "backend", name), "");
  for (let round = 0; round < 2; round += 1) {
    await patchModule(module, from, to);
    const text = await readFile(join(to, "main.go"), "utf8");
    assert.deepEqual(text.split("\n"), ["package main", "import (", imports[0], ")", ""]);
    assert.equal(await exists(join(to, "backend/slow")), false);
    assert.equal(await exists(join(to, "backend/fast/a.go")), true);
    assert.equal(await exists(join(to, "backend/fast/a_test.go")), false);
  }
  await assert.rejects(
    patchModule({ ...module, without: [{ package: "backend/none", importedBy: "main.go" }] }, from, to),
    (err) => isCode(err, "image/bad-patch"),
  );
});
