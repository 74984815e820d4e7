import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { planCluster } from "./cluster-plan.ts";
import { nextCommands } from "./next-commands.ts";
import { formatCluster, showCluster } from "./show-cluster.ts";

test("formatCluster lays the cluster out in two tables", () => {
  const text = formatCluster({
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
  });
  assert.equal(
    text,
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
