import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isCode } from "@talos-ts/base";
import type { Rootfs } from "@talos-ts/imager";
import {
  createCluster,
  destroyCluster,
  layout,
  restartNode,
  showCluster,
  waitForNodes,
  type ClusterState,
} from "@talos-ts/provision";
import { clustersFolder, leftovers, testImage } from "./provision-support.ts";

const folder = await clustersFolder();
const clustersDirectory = folder.path;
const image = testImage();

async function create(name: string, subnet: string): Promise<ClusterState> {
  const state = await createCluster({
    name,
    subnet,
    clustersDirectory,
    image: (): Promise<Rootfs> => image,
    nodeConfig: async (node) => `name: ${node.name}\n`,
  });
  await waitForNodes(state.plan, { signal: AbortSignal.timeout(180_000) }, () => {});
  return state;
}

async function ask(state: ClusterState, index: number, path = "/"): Promise<Record<string, unknown>> {
  const response = await fetch(`http://${state.plan.nodes[index]?.address}:50000${path}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Record<string, unknown>;
}

let first: ClusterState;
let second: ClusterState;

before(async () => {
  first = await create("one", "10.71.0.0/24");
  second = await create("two", "10.72.0.0/24");
});

after(async () => {
  for (const name of ["one", "two"]) {
    await destroyCluster({ name, clustersDirectory }).catch((err: unknown) => {
      if (!isCode(err, "provision/no-cluster")) throw err;
    });
  }
  await folder[Symbol.asyncDispose]();
});

test("createCluster gives a node the container contract", async () => {
  const facts = await ask(first, 0);
  assert.partialDeepStrictEqual(facts, {
    pid: 1,
    hostname: "one-controlplane-1",
    platform: "container",
    sku: "2CPU-2048RAM",
    config: "name: one-controlplane-1\n",
    inContainer: true,
    kmsg: true,
    shells: [],
    plugins: ["bridge", "firewall", "host-local", "loopback", "portmap"],
    writable: ["/var", "/run", "/tmp", "/system", "/system/state", "/etc/cni", "/etc/kubernetes", "/opt"],
    address: "10.71.0.2/24",
  });
});

test("createCluster makes nodes that run unprivileged containers from the daemon root", async () => {
  assert.deepEqual(await ask(first, 1, "/nested"), [
    50,
    1,
    ["group", "hosts", "nsswitch.conf", "passwd", "resolv.conf", "ssl"],
  ]);
});

test("createCluster keeps two clusters side by side", async () => {
  assert.equal((await ask(second, 1))["hostname"], "two-worker-1");
  const views = await Promise.all(["one", "two"].map((name) => showCluster(name, clustersDirectory)));
  assert.deepEqual(
    views.map((view) => view.nodes.map((node) => node.state)),
    [
      ["running", "running"],
      ["running", "running"],
    ],
  );
});

test("createCluster keeps what a node writes to its console", async () => {
  const [node] = first.plan.nodes;
  assert.ok(node);
  assert.equal(await readFile(layout.log(first.plan, node), "utf8"), "node one-controlplane-1 is up\n");
});

test("restartNode keeps the volumes of a node and its address", async () => {
  const [node] = second.plan.nodes;
  assert.ok(node);
  const kept = join(layout.volume(second.plan, node, "var"), "kept");
  await writeFile(kept, "still here");
  const [before] = (await showCluster("two", clustersDirectory)).nodes;
  await restartNode({ name: "two", node: node.name, clustersDirectory });
  await waitForNodes(second.plan, { signal: AbortSignal.timeout(180_000) }, () => {});
  const [after] = (await showCluster("two", clustersDirectory)).nodes;
  assert.notEqual(after?.pid, before?.pid);
  assert.equal((await ask(second, 0))["address"], "10.72.0.2/24");
  assert.equal(await readFile(kept, "utf8"), "still here");
});

test("createCluster refuses a name that is taken and names the commands that use or free it", async () => {
  await assert.rejects(
    create("one", "10.70.0.0/24"),
    (err) =>
      isCode(err, "provision/exists") &&
      err.next === "talosctl cluster start --name one, or talosctl cluster destroy --name one",
  );
});

test("createCluster refuses a subnet that is in use and leaves nothing", async () => {
  await assert.rejects(
    create("three", "10.71.0.0/16"),
    (err) => isCode(err, "provision/requirements") && err.message.includes(first.plan.bridge),
  );
  await assert.rejects(showCluster("three", clustersDirectory), (err) => isCode(err, "provision/no-cluster"));
});

test("destroyCluster leaves nothing of a cluster and does not touch the other", async () => {
  await destroyCluster({ name: "one", clustersDirectory });
  assert.deepEqual(await leftovers(first.plan), []);
  assert.equal((await ask(second, 0))["hostname"], "two-controlplane-1");
  await destroyCluster({ name: "two", clustersDirectory });
  assert.deepEqual(await leftovers(second.plan), []);
});
