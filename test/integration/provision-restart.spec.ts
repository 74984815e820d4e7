import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isCode } from "@talos-ts/base";
import type { Rootfs } from "@talos-ts/imager";
import type { ProgressEvent } from "@talos-ts/host";
import { createLinuxNetworks } from "@talos-ts/linux";
import {
  createCluster,
  destroyCluster,
  layout,
  showCluster,
  startCluster,
  stopCluster,
  waitForNodes,
  type ClusterState,
  type StartedCluster,
} from "@talos-ts/provision";
import { restartHost } from "./faults-support.ts";
import { clustersFolder, leftovers, testImage } from "./provision-support.ts";

const folder = await clustersFolder();
const clustersDirectory = folder.path;
const name = "back";
const image = testImage();
let state: ClusterState;

const refuse = async (): Promise<Rootfs> => {
  throw new Error("the image was there");
};

async function start(
  nodes: readonly string[] = [],
  more: { readonly image?: () => Promise<Rootfs>; readonly signal?: AbortSignal } = {},
  progress?: (event: ProgressEvent) => void,
): Promise<StartedCluster> {
  return startCluster({ name, nodes, clustersDirectory, image: refuse, ...more }, progress);
}

const states = async (): Promise<readonly string[]> =>
  (await showCluster(name, clustersDirectory)).nodes.map((node) => node.state);
const names = (result: StartedCluster): readonly string[] => result.started.map((node) => node.name);

/** A connection that is kept would lead to a node that has ended since. */
const fresh = { headers: { connection: "close" } };

/** Asks both nodes who they are, once they answer. */
async function identities(): Promise<readonly unknown[]> {
  await waitForNodes(state.plan, { signal: AbortSignal.timeout(180_000) }, () => {});
  return Promise.all(
    state.plan.nodes.map(async ({ address }) => {
      const facts = (await (await fetch(`http://${address}:50000/`, fresh)).json()) as Record<string, unknown>;
      return [facts["hostname"], facts["address"], facts["config"]];
    }),
  );
}

const expected = [
  ["back-controlplane-1", "10.82.0.2/24", "name: back-controlplane-1\n"],
  ["back-worker-1", "10.82.0.3/24", "name: back-worker-1\n"],
];

async function deleteLink(link: string): Promise<void> {
  using network = createLinuxNetworks().here;
  const found = await network.link(link);
  if (found !== undefined) await network.deleteLink(found.index);
}

before(async () => {
  state = await createCluster({
    name,
    subnet: "10.82.0.0/24",
    clustersDirectory,
    image: (): Promise<Rootfs> => image,
    nodeConfig: async (node) => `name: ${node.name}\n`,
  });
});

after(async () => {
  await destroyCluster({ name, clustersDirectory });
  assert.deepEqual(await leftovers(state.plan), []);
  await folder[Symbol.asyncDispose]();
});

test("startCluster leaves a running cluster alone", async () => {
  assert.deepEqual(await identities(), expected);
  const before = (await showCluster(name, clustersDirectory)).nodes;
  assert.deepEqual(names(await start()), []);
  assert.deepEqual((await showCluster(name, clustersDirectory)).nodes, before);
});

test("stopCluster leaves nothing but files, and startCluster brings everything back", async () => {
  const [node] = state.plan.nodes;
  assert.ok(node);
  const kept = join(layout.volume(state.plan, node, "var"), "kept");
  await writeFile(kept, "still here");
  const { stopped } = await stopCluster({ name, clustersDirectory });
  assert.equal(stopped.length, 2);
  assert.deepEqual(await leftovers(state.plan), [`folder ${state.plan.directory}`]);
  assert.deepEqual((await stopCluster({ name, clustersDirectory })).stopped, []);
  assert.deepEqual(names(await start()), ["back-controlplane-1", "back-worker-1"]);
  assert.deepEqual(await identities(), expected);
  assert.equal(await readFile(kept, "utf8"), "still here");
});

test("startCluster brings a cluster back after a restart of the host", async () => {
  await restartHost(state.plan, name, clustersDirectory);
  assert.deepEqual(await states(), ["absent", "absent"]);
  assert.equal((await start()).started.length, 2);
  assert.deepEqual(await identities(), expected);
});

test("stopCluster and startCluster work on single nodes, and the network stays with the others", async () => {
  await stopCluster({ name, nodes: ["worker-1"], clustersDirectory });
  assert.deepEqual(await states(), ["running", "absent"]);
  assert.deepEqual(names(await start(["10.82.0.3"])), ["back-worker-1"]);
  assert.deepEqual(await identities(), expected);
});

test("startCluster and stopCluster name the node that was meant", async () => {
  const meant = (err: unknown): boolean => isCode(err, "provision/no-node") && err.message.includes('"back-worker-1"');
  await assert.rejects(start(["back-woker-1"]), meant);
  await assert.rejects(stopCluster({ name, nodes: ["back-woker-1"], clustersDirectory }), meant);
});

for (const [what, link] of [
  ["a cable", (): string => state.plan.nodes[1]?.link ?? ""],
  ["the bridge", (): string => state.plan.bridge],
] as const) {
  test(`startCluster puts ${what} back that was taken from running nodes`, async () => {
    await deleteLink(link());
    assert.deepEqual(names(await start()), []);
    assert.deepEqual(await identities(), expected);
  });
}

test("startCluster clears half a container away when it is aborted, and goes on when it is called again", async () => {
  await stopCluster({ name, clustersDirectory });
  const abort = new AbortController();
  const starting = start([], { signal: abort.signal }, (event) => {
    if (event.stage === "start nodes" && event.done === 2) setImmediate(() => abort.abort());
  });
  await assert.rejects(starting, { name: "AbortError" });
  assert.deepEqual(await states(), ["running", "absent"]);
  assert.deepEqual(names(await start()), ["back-worker-1"]);
  assert.deepEqual(await identities(), expected);
});

test("startCluster builds an image when that of the cluster is gone, and remembers it", async () => {
  await stopCluster({ name, clustersDirectory });
  const path = join(state.plan.directory, "state.yaml");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/^image: .*$/m, "image: sha256:00"));
  await start([], { image: () => image });
  assert.equal((await showCluster(name, clustersDirectory)).image, state.image);
  assert.deepEqual(await identities(), expected);
});

test("startCluster and stopCluster refuse a cluster that was never whole, and name the way out", async () => {
  const path = join(state.plan.directory, "state.yaml");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/^phase: .*$/m, "phase: creating"));
  const next = "talosctl cluster destroy --name back";
  for (const work of [start, () => stopCluster({ name, clustersDirectory })]) {
    await assert.rejects(work(), (err) => isCode(err, "provision/unfinished") && err.next === next);
  }
  const none = startCluster({ name: "none", clustersDirectory, image: refuse });
  await assert.rejects(none, (err) => isCode(err, "provision/no-cluster"));
});
