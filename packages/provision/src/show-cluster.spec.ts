import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { planCluster } from "./cluster-plan.ts";
import { nextCommands } from "./next-commands.ts";
import { formatCluster, showCluster, type ClusterView } from "./show-cluster.ts";

const view: ClusterView = {
  provisioner: "container",
  name: "a",
  phase: "ready",
  directory: "/clusters/a",
  network: { name: "talos0", cidr: "10.5.0.0/24", gateway: "10.5.0.1", mtu: 1500 },
  kubernetesEndpoint: "https://10.5.0.2:6443",
  image: "sha256:00",
  nodes: [
    {
      name: "a-controlplane-1",
      type: "controlplane",
      address: "10.5.0.2",
      cpus: 2,
      memoryBytes: 2 * 1024 ** 3,
      state: "running",
      pid: 7,
    },
  ],
};

test("formatCluster lays the cluster out in two tables", () => {
  assert.equal(
    formatCluster(view),
    `PROVISIONER           container
NAME                  a
STATE                 ready
NETWORK NAME          talos0
NETWORK CIDR          10.5.0.0/24
NETWORK GATEWAY       10.5.0.1
NETWORK MTU           1500
KUBERNETES ENDPOINT   https://10.5.0.2:6443

NODES:

NAME               TYPE           IP         CPU    RAM      DISK   STATE
a-controlplane-1   controlplane   10.5.0.2   2.00   2.1 GB   -      running
`,
  );
});

test("formatCluster names the command that starts nodes which do not run", () => {
  const [node] = view.nodes;
  assert.ok(node);
  const lines = formatCluster({ ...view, nodes: [node, { ...node, state: "absent", pid: 0 }] }).split("\n");
  assert.match(lines.at(-4) ?? "", / stopped$/);
  assert.equal(lines.at(-2), "1 of 2 nodes not running; start with: talosctl cluster start --name a");
  assert.doesNotMatch(formatCluster({ ...view, phase: "creating" }), /cluster start/);
});

test("formatCluster tells of nodes that died, why, and when those come back that wait for it", () => {
  const [node] = view.nodes;
  assert.ok(node);
  const lastDeath = { time: "T1", reason: "killed by SIGKILL", count: 1, restartAt: "T2" };
  const lines = formatCluster({
    ...view,
    nodes: [
      { ...node, lastDeath },
      { ...node, name: "b", state: "stopped", pid: 0, lastDeath: { ...lastDeath, count: 3 } },
    ],
  }).split("\n");
  assert.deepEqual(lines.slice(-3, -1), [
    "a-controlplane-1 ended without a shutdown once, last at T1: killed by SIGKILL",
    "b ended without a shutdown 3 times, last at T1: killed by SIGKILL; starts again at T2",
  ]);
});

test("formatCluster does not call a node running that is in maintenance mode", () => {
  const [node] = view.nodes;
  assert.ok(node);
  const text = formatCluster({ ...view, nodes: [{ ...node, maintenance: true }] });
  assert.match(text, / maintenance$/m);
  assert.doesNotMatch(text, /running/);
});

test("showCluster names the command that would create the cluster", async () => {
  await assert.rejects(
    showCluster("none", "/nowhere"),
    (err) => isCode(err, "provision/no-cluster") && err.next === "talosctl cluster create --name none",
  );
});

test("nextCommands are three and name the nodes", () => {
  assert.deepEqual(nextCommands(planCluster({ name: "a" }, "/clusters")), [
    "talosctl --context a --nodes 10.5.0.2,10.5.0.3 version",
    "talosctl --context a --nodes 10.5.0.2,10.5.0.3 services",
    "talosctl --context a --nodes 10.5.0.2 get machinestatus -o yaml",
  ]);
});

test("nextCommands name the client configuration that the client does not open by itself", () => {
  const [first] = nextCommands(planCluster({ name: "a" }, "/clusters"), { talosconfig: "/tmp/talosconfig" });
  assert.equal(first, "talosctl --talosconfig /tmp/talosconfig --context a --nodes 10.5.0.2,10.5.0.3 version");
});

test("nextCommands configure the nodes that have no configuration first", () => {
  const plan = planCluster({ name: "a" }, "/clusters");
  const files = { controlplane: "/x/controlplane.yaml", worker: "/x/worker.yaml" };
  assert.deepEqual(nextCommands(plan, { context: "b", unconfigured: plan.nodes, files }), [
    "talosctl apply-config --insecure --nodes 10.5.0.2 --file /x/controlplane.yaml",
    "talosctl apply-config --insecure --nodes 10.5.0.3 --file /x/worker.yaml",
    "talosctl --context b --nodes 10.5.0.2,10.5.0.3 version",
  ]);
  assert.deepEqual(nextCommands(plan, { unconfigured: plan.nodes.slice(1) }).slice(0, 1), [
    "talosctl apply-config --insecure --nodes 10.5.0.3 --file <config.yaml>",
  ]);
});
