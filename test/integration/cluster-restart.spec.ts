import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { planCluster, type ClusterPlan } from "@talos-ts/provision";
import { createHome, eventually, type Home } from "./cluster-support.ts";
import { leftovers } from "./provision-support.ts";

const name = "again";
const node = "10.76.0.130";

describe("a cluster that is configured by hand, stopped and started", () => {
  let home: Home;
  let plan: ClusterPlan;
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await home.talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
    return `${stdout}${stderr}`;
  };
  /** The commands a person is told to run, as words. */
  const nextIn = (text: string): string[][] =>
    (text.split("Next:\n")[1] ?? "")
      .trim()
      .split("\n")
      .map((line) => line.trim().split(" ").slice(1));
  const identity = (): Promise<string> =>
    eventually(
      async () => (await home.talosctl("-n", node, "get", "identities", "-o", "jsonpath={.spec.nodeId}")).stdout.trim(),
      (text) => text !== "",
    );

  before(async () => {
    home = await createHome();
    plan = planCluster({ name, subnet: "10.76.0.128/26", workers: 0 }, join(home.path, ".talos/clusters"));
  });
  after(async () => {
    await home.talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  it("waits in maintenance mode for the configuration that the printed command applies, and is the same machine later", async () => {
    const flags = [
      "--name",
      name,
      "--subnet",
      "10.76.0.128/26",
      "--workers",
      "0",
      "--images",
      "none",
      "--skip-injecting-config",
    ];
    const [apply, version] = nextIn(await out("cluster", "create", ...flags));
    assert.equal(apply?.slice(0, 4).join(" "), `apply-config --insecure --nodes ${node}`);
    const { stdout: stage } = await eventually(
      () => home.talosctl("get", "machinestatus", "--insecure", "-n", node, "-o", "jsonpath={.spec.stage}"),
      ({ stdout }) => stdout.trim() === "maintenance",
    );
    assert.equal(stage.trim(), "maintenance");
    const again = await out("cluster", "start", "--name", name);
    assert.match(again, /again-controlplane-1 .* maintenance\n/);
    assert.doesNotMatch(again, /running/);
    await out(...apply);
    const before = await identity();
    await out(...(version ?? []));

    assert.match(await out("cluster", "stop", "--name", name), /Stopped again-controlplane-1\n/);
    const shown = await out("cluster", "show", "--name", name);
    assert.match(shown, /1 of 1 nodes not running; start with: talosctl cluster start --name again\n$/);
    const [first] = nextIn(await out("cluster", "start", "--name", name));
    assert.equal(await identity(), before);
    await out(...(first ?? []));
    assert.match(
      await out("cluster", "start", "--name", name),
      /Nothing to start: every node of cluster "again" is on/,
    );
  });
});
