import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { generateClusterConfigs, planCluster } from "@talos-ts/provision";
import { planConfigFiles } from "./config-files.ts";

async function temporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "config-files-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

describe("planConfigFiles()", () => {
  it("writes one file for each kind of node there is, for its owner alone", async () => {
    await using folder = await temporary();
    const plan = planCluster({ workers: 0 }, "/clusters");
    const files = await planConfigFiles(plan, false, folder.path);
    await files.write(await generateClusterConfigs(plan));
    assert.deepEqual(await readdir(folder.path), ["controlplane.yaml"]);
    assert.match(await readFile(files.paths.controlplane, "utf8"), /\n {4}type: controlplane\n/);
    assert.equal((await stat(files.paths.controlplane)).mode & 0o777, 0o600);
  });
  it("refuses a file that exists before anything is made, unless told to replace it", async () => {
    await using folder = await temporary();
    await writeFile(join(folder.path, "worker.yaml"), "mine");
    const plan = planCluster({}, "/clusters");
    await assert.rejects(planConfigFiles(plan, false, folder.path), { code: "cli/file-exists" });
    assert.deepEqual(await readdir(folder.path), ["worker.yaml"]);
    await planConfigFiles(plan, true, folder.path);
  });
});
