import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { planCluster } from "../cluster-plan.ts";
import { keptConfig, nodesWithoutConfig } from "./kept-config.ts";
import { layout } from "./node-layout.ts";

const root = await mkdtemp(join(tmpdir(), "kept-config-"));
after(() => rm(root, { recursive: true }));
const plan = planCluster({ name: "a", workers: 3 }, root);
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

test("keptConfig and unconfiguredNodes tell who was made with a configuration, and who was given one", async () => {
  const [made, given, bare, lost] = plan.nodes;
  assert.ok(made && given && bare && lost);
  const env = ["A=b", `USERDATA=${Buffer.from("version: v1alpha1\n").toString("base64")}`];
  await put(layout.container(plan, made), JSON.stringify({ process: { env } }));
  await put(layout.container(plan, given), JSON.stringify({ process: { env: ["A=b"] } }));
  await put(join(layout.volume(plan, given, "state"), "config.yaml"), "version: v1alpha1\n");
  await put(layout.container(plan, bare), JSON.stringify({ process: { env: ["A=b"] } }));
  await put(layout.container(plan, lost), `{"process"`);
  assert.deepEqual(await Promise.all(plan.nodes.map((node) => keptConfig(plan, node))), [
    "version: v1alpha1\n",
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(await nodesWithoutConfig(plan), [bare, lost]);
});
