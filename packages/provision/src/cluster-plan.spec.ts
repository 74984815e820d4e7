import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { planCluster, type ClusterRequest } from "./cluster-plan.ts";

const plan = (request: ClusterRequest = {}): ReturnType<typeof planCluster> => planCluster(request, "/home/x/clusters");

test("planCluster has upstream's defaults", () => {
  const { name, network, nodes } = plan();
  assert.equal(name, "talos-default");
  assert.equal(network.subnet, "10.5.0.0/24");
  assert.equal(network.gateway, "10.5.0.1");
  assert.deepEqual(
    nodes.map((node) => [node.name, node.type, node.address, node.hardwareAddress]),
    [
      ["talos-default-controlplane-1", "controlplane", "10.5.0.2", "02:05:0a:05:00:02"],
      ["talos-default-worker-1", "worker", "10.5.0.3", "02:05:0a:05:00:03"],
    ],
  );
});

test("planCluster numbers control planes first and clears host bits of the subnet", () => {
  const { network, nodes } = plan({ name: "a", subnet: "10.9.1.77/16", controlPlanes: 3, workers: 2 });
  assert.equal(network.subnet, "10.9.0.0/16");
  assert.deepEqual(
    nodes.map((node) => `${node.name} ${node.address}`),
    [
      "a-controlplane-1 10.9.0.2",
      "a-controlplane-2 10.9.0.3",
      "a-controlplane-3 10.9.0.4",
      "a-worker-1 10.9.0.5",
      "a-worker-2 10.9.0.6",
    ],
  );
});

test("planCluster gives every cluster and node its own links, none longer than the kernel takes", () => {
  const nodes = { controlPlanes: 100, workers: 100 };
  const plans = [plan({ name: "a", ...nodes }), plan({ name: "b", ...nodes })];
  const links = plans.flatMap((one) => [one.bridge].concat(one.nodes.map((node) => node.link)));
  assert.equal(new Set(links).size, 402);
  assert.ok(links.every((name) => name.length <= 15));
});

test("planCluster gives workers their own size when asked to", () => {
  const { nodes } = plan({ cpus: 4, workerMemoryBytes: 1024 ** 3 });
  assert.deepEqual(
    nodes.map((node) => [node.cpus, node.memoryBytes / 1024 ** 3]),
    [
      [4, 2],
      [4, 1],
    ],
  );
});

const refused: readonly (readonly [string, ClusterRequest])[] = [
  ["name", { name: "Bad_Name" }],
  ["name", { name: "../up" }],
  ["controlplanes", { controlPlanes: 0 }],
  ["workers", { workers: -1 }],
  ["cpus", { cpus: 0 }],
  ["memory", { memoryBytes: 1024 }],
  ["memory", { memoryBytes: 1024 ** 3, kubernetes: true }],
  ["memory", { memoryBytes: 1024 ** 3, provisioner: "qemu" }],
  ["memory-workers", { workerMemoryBytes: 512 * 1024 ** 2, kubernetes: true }],
  ["mtu", { mtu: 100 }],
  ["host-ip", { hostIp: "::1" }],
  [
    "exposed-ports",
    {
      exposedPorts: [
        { hostPort: 80, nodePort: 80, protocol: "tcp" },
        { hostPort: 80, nodePort: 81, protocol: "tcp" },
      ],
    },
  ],
  ["subnet", { subnet: "10.5.0.0" }],
  ["subnet", { subnet: "10.5.0.0/33" }],
  ["subnet", { subnet: "fd00::/64" }],
  ["subnet", { subnet: "10.5.0.0/29", workers: 5 }],
];

for (const [option, request] of refused) {
  test(`planCluster refuses --${option} of ${JSON.stringify(request)} and names the option`, () => {
    assert.throws(
      () => plan(request),
      (err) => isCode(err, "provision/bad-request") && err.details["option"] === option,
    );
  });
}
