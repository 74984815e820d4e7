import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { planCluster } from "./cluster-plan.ts";
import { listClusters, readState, usedImageCaches, writeState, type ClusterState } from "./cluster-state.ts";

const root = await mkdtemp(join(tmpdir(), "provision-state-"));
after(() => rm(root, { recursive: true }));

const state = (name: string): ClusterState => ({
  version: 1,
  phase: "creating",
  createdAt: "2026-01-01T00:00:00.000Z",
  image: "sha256:00",
  plan: planCluster({ name }, root),
});

test("readState reads what writeState wrote, which only the owner can read", async () => {
  const written = state("a");
  await writeState(written);
  assert.deepEqual(await readState(join(root, "a")), written);
  assert.deepEqual(await readdir(join(root, "a")), ["state.yaml"]);
  assert.equal((await stat(join(root, "a"))).mode & 0o777, 0o700);
  assert.equal((await stat(join(root, "a/state.yaml"))).mode & 0o777, 0o600);
});

test("readState finds no state where there is none", async () => {
  assert.equal(await readState(join(root, "none")), undefined);
});

test("readState refuses a state of another folder and what is no state", async () => {
  await writeState(state("b"));
  await cp(join(root, "b"), join(root, "copy"), { recursive: true });
  await mkdir(join(root, "bad"));
  await writeFile(join(root, "bad/state.yaml"), "}{");
  for (const name of ["copy", "bad"]) {
    await assert.rejects(readState(join(root, name)), (err) => isCode(err, "provision/bad-state"));
  }
});

test("listClusters names folders, not lock files", async () => {
  await writeFile(join(root, "a.lock"), "");
  assert.deepEqual(await listClusters(root), ["a", "b", "bad", "copy"]);
  assert.deepEqual(await listClusters(join(root, "none")), []);
});

test("usedImageCaches names the folders of all clusters that can be read", async () => {
  const written = state("cached");
  await writeState({ ...written, plan: { ...written.plan, imageCache: "/images/one" } });
  assert.deepEqual(await usedImageCaches(root), ["/images/one"]);
});
