import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createClusterRecord, noteClusters } from "./suite-clusters.ts";

const root = await mkdtemp(join(tmpdir(), "suite-clusters-"));
after(() => rm(root, { recursive: true }));

/** A home with clusters, noted as a suite does. */
async function notedHome(
  env: Readonly<Record<string, string>>,
  name: string,
  clusters: readonly string[],
): Promise<string> {
  const folder = join(root, name);
  const clustersDirectory = join(folder, ".talos/clusters");
  for (const cluster of clusters) await mkdir(join(clustersDirectory, cluster), { recursive: true });
  await mkdir(folder, { recursive: true });
  Object.assign(process.env, env);
  noteClusters({ folder, clustersDirectory });
  for (const variable of Object.keys(env)) delete process.env[variable];
  return folder;
}

describe("createClusterRecord()", () => {
  it("destroys what a suite left, and removes its folders", async () => {
    const destroyed: string[] = [];
    const record = await createClusterRecord(async ({ name, clustersDirectory = "" }) => {
      destroyed.push(join(clustersDirectory, name));
    });
    const left = await notedHome(record.env, "left", ["one", "two"]);
    const clean = await notedHome(record.env, "clean", []);
    const lines = await record.remove();
    assert.deepEqual(
      destroyed,
      ["one", "two"].map((name) => join(left, ".talos/clusters", name)),
    );
    assert.deepEqual(
      lines,
      ["one", "two"].map((name) => `removed cluster ${name} that the suite left`),
    );
    assert.deepEqual([existsSync(left), existsSync(clean)], [false, false]);
    for (const file of Object.values(record.env)) assert.equal(existsSync(join(file, "..")), false);
  });

  it("keeps the folder of a cluster that cannot be destroyed, and says why", async () => {
    const record = await createClusterRecord(() => Promise.reject(new Error("busy")));
    const folder = await notedHome(record.env, "kept", ["three"]);
    const [line = ""] = await record.remove();
    assert.match(line, /^cannot remove cluster three in .*: busy$/);
    assert.ok(existsSync(join(folder, ".talos/clusters/three")));
  });
});

describe("noteClusters()", () => {
  it("does nothing where no runner wants to know", () => {
    noteClusters({ folder: root, clustersDirectory: root });
  });
});
