import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { testMachine } from "../controllers/network/testing.ts";
import { createStage, sealedLinux } from "./stage.ts";

describe("createStage()", () => {
  it("gives a root that is gone afterwards", async () => {
    let file: string;
    {
      await using stage = await createStage(testMachine());
      file = join(stage.root, "file");
      await writeFile(file, "");
    }
    await assert.rejects(access(file), { code: "ENOENT" });
  });
  it("knows the mode of the machine, but may not set host names", async () => {
    const machine = testMachine({ platform: { mode: "metal" } });
    await using stage = await createStage(machine);
    assert.deepEqual([stage.real.platform.mode, stage.platform.mode], ["metal", "container"]);
  });
});

describe("sealedLinux", () => {
  it("refuses to be used", () => {
    assert.throws(() => sealedLinux.mounts, { code: "plan/effect", message: /"mounts" of the kernel/ });
  });
});
