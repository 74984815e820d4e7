import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { emptyConfig, emptyContext, openTalosconfig, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import { findContext, removeContext, saveContext } from "./cluster-context.ts";
import { planCluster } from "./cluster-plan.ts";

const root = await mkdtemp(join(tmpdir(), "provision-context-"));
after(() => rm(root, { recursive: true }));
const path = join(root, "config");

const plan = planCluster({ name: "a" }, "/clusters");
const talosconfig = (endpoint: string): TalosConfig => ({
  ...emptyConfig,
  context: "a",
  contexts: new Map([["a", { ...emptyContext, endpoints: [endpoint] }]]),
});
const names = async (): Promise<string[]> => [...(await openTalosconfig(path)).config.contexts.keys()];

test("saveContext makes the new context the current one and keeps those that exist", async () => {
  assert.equal(await saveContext(talosconfig("192.0.2.1"), { path }), "a");
  assert.equal(await saveContext(talosconfig("10.5.0.2"), { path }), "a-1");
  assert.deepEqual(await names(), ["a", "a-1"]);
  assert.equal((await openTalosconfig(path)).config.context, "a-1");
});

test("findContext finds the context that leads to the cluster, by any name it got", async () => {
  assert.equal(await findContext(plan, { path }), "a-1");
  assert.equal(await findContext(planCluster({ name: "b" }, "/clusters"), { path }), undefined);
});

test("removeContext removes what leads to the cluster and nothing else", async () => {
  assert.deepEqual(await removeContext(plan, { path }), ["a-1"]);
  assert.deepEqual(await names(), ["a"]);
  assert.equal((await openTalosconfig(path)).config.context, "a");
  assert.deepEqual(await removeContext(plan, { path }), []);
});
