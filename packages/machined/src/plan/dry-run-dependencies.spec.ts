import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createDryRunDependencies } from "./dry-run-dependencies.ts";

describe("createDryRunDependencies()", () => {
  it("removes the root when it is disposed", async () => {
    let file: string;
    {
      await using dependencies = await createDryRunDependencies({ platform: { mode: "container" } });
      file = join(dependencies.root, "file");
      await writeFile(file, "");
    }
    await assert.rejects(access(file), { code: "ENOENT" });
  });
  it("has the mode of the machine, sets no hostname and resolves nothing", async () => {
    await using dependencies = await createDryRunDependencies({ platform: { mode: "metal" } });
    assert.deepEqual([dependencies.platform.mode, dependencies.setHostname], ["metal", undefined]);
    assert.deepEqual(await dependencies.resolveHost("example.org"), ["<addresses of example.org>"]);
  });
});
