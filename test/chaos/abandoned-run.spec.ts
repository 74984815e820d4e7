import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { recordRun, removeAbandoned } from "./abandoned-run.ts";

describe("removeAbandoned()", () => {
  it("destroys the cluster of a run that is gone, once", async () => {
    await using folder = await temporaryDirectory();
    const home = join(folder.path, "home");
    await mkdir(home);
    // Above the highest number that Linux gives to a process.
    await writeFile(join(folder.path, "running-a.json"), JSON.stringify({ pid: 2 ** 22 + 1, home }));
    const destroyed: string[] = [];
    const destroy = async (path: string): Promise<void> => void destroyed.push(path);
    await removeAbandoned("a", folder.path, destroy);
    await removeAbandoned("a", folder.path, destroy);
    assert.deepEqual(destroyed, [home]);
    assert.deepEqual(await readdir(folder.path), []);
  });
  it("leaves the cluster of a run alone that goes on", async () => {
    await using folder = await temporaryDirectory();
    {
      await using _ = await recordRun("a", folder.path, folder.path);
      // This process is one of the fault suite, by the path of its program.
      await assert.rejects(removeAbandoned("a", folder.path), /works on cluster a/);
    }
    await removeAbandoned("a", folder.path);
  });
});
