import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { undocumentedExports } from "./undocumented.ts";

const files = {
  "src/index.ts": `export { told, untold as renamed } from "./a.ts";\nexport * from "./deep/b.ts";\n`,
  "src/a.ts": `/** Says so. */\nexport const told = 1;\n\nexport function untold(): void {}\n\nexport const inside = 2;\n`,
  "src/deep/b.ts": `/** A table. */\nexport const table = {} as const;\n\nexport type Key = keyof typeof table;\n\nexport interface Bare {}\n`,
};

describe("undocumentedExports()", () => {
  it("follows re-exports from the entrances, and takes what is derived from a documented constant as documented", async () => {
    await using folder = await temporaryDirectory();
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), text);
    }
    assert.deepEqual(undocumentedExports(folder.path, ["src/index.ts"]), [
      { place: "src/a.ts:4", name: "untold" },
      { place: "src/deep/b.ts:6", name: "Bare" },
    ]);
  });
});
