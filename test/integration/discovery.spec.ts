import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runDiscoveryService } from "@talos-ts/discovery";
import { planCluster } from "@talos-ts/provision";
import { createHome, eventually, type CliResult, type Home } from "./cluster-support.ts";
import { leftovers } from "./provision-support.ts";

const name = "disc";
const subnet = "10.81.0.0/24";
const [host, controlPlane, worker] = ["10.81.0.1", "10.81.0.2", "10.81.0.3"];
/** Not that of the service which the cluster has by itself. */
const port = 3100;

describe("a cluster with a discovery service of its own", () => {
  let home: Home;
  let created: CliResult;
  const stop = new AbortController();
  let service = Promise.resolve();
  const talosctl = (...args: readonly string[]): Promise<CliResult> => home.talosctl(...args);
  const get = async (node: string, ...what: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await talosctl("-n", node, "get", ...what);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  /** The names of the members that a node knows. */
  const members = async (node: string): Promise<readonly string[]> =>
    [...(await get(node, "members")).matchAll(/ Member +(\S+)/g)].map(([, id]) => id ?? "").sort();

  before(async () => {
    home = await createHome();
    const endpoint = `http://${host}:${String(port)}/`;
    const patch = JSON.stringify({ cluster: { discovery: { registries: { service: { endpoint } } } } });
    created = await talosctl(
      "cluster",
      "create",
      "--name",
      name,
      "--subnet",
      subnet,
      "--images",
      "none",
      "--config-patch",
      patch,
    );
  });
  after(async () => {
    stop.abort();
    await service;
    const plan = planCluster({ name, subnet }, join(home.path, ".talos/clusters"));
    await talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  it("T-25, T-27: nodes wait for the service, then know each other, and forget one that resets", async () => {
    assert.equal(created.code, 0, created.stderr);
    await eventually(
      () => members(worker),
      (ids) => ids.join() === "disc-worker-1",
    );
    const lines = await eventually(
      async () => {
        const { stdout } = await talosctl("-n", worker, "logs", "controller-runtime");
        return stdout.split("\n").filter((line) => line.includes("WARN\tdiscovery service cannot be used"));
      },
      ({ length }) => length > 0,
    );
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /"endpoint": "10\.81\.0\.1:3100", "error": "Cannot connect .*"next": "talosctl get/);

    // The address of the host is on the bridge, which is there only now.
    service = runDiscoveryService({ listen: { host, port }, log: () => {}, signal: stop.signal });
    const both = ["disc-controlplane-1", "disc-worker-1"];
    for (const node of [controlPlane, worker]) {
      await eventually(
        () => members(node),
        (ids) => ids.join() === both.join(),
      );
    }
    assert.match(await get(controlPlane, "affiliates"), /disc-worker-1 +worker +\["10\.81\.0\.3"\]/);
    assert.match(await get(worker, "addresses", "--namespace", "cluster"), /service +\d+ +10\.81\.0\.3\/32/);

    assert.equal((await talosctl("-n", worker, "reset", "--graceful=false")).code, 0);
    await eventually(
      () => members(controlPlane),
      (ids) => ids.join() === "disc-controlplane-1",
    );
  });
});
