import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster } from "../cluster-plan.ts";
import { kernelArguments, qemuCommand } from "./qemu-command.ts";

const plan = planCluster(
  { name: "vm", provisioner: "qemu", subnet: "10.9.0.0/24", memoryBytes: 2 * 1024 ** 3 },
  "/clusters,x",
);
const [node] = plan.nodes;
assert.ok(node !== undefined);
const parts = { firmware: { code: "/cache/code.fd", variables: "/cache/variables.fd" }, medium: "/cache/medium.img" };

test("qemuCommand() gives a machine its memory, disk, network and console", () => {
  const words = qemuCommand({ plan, node, ...parts, accelerator: "tcg" });
  const after = (name: string): string => words[words.indexOf(name) + 1] ?? "";
  assert.equal(words[0], "qemu-system-x86_64");
  assert.equal(after("-m"), "2048M");
  const drives = words.filter((_, index) => words[index - 1] === "-drive").map((word) => word.split(",if=")[0]);
  const folder = "/clusters,,x/vm/nodes/vm-controlplane-1";
  const files = ["/cache/code.fd", `${folder}/firmware.fd`, `${folder}/disk.img`, "/cache/medium.img"];
  assert.deepEqual(
    drives,
    files.map((path) => `file=${path}`),
  );
  const [disk = "", medium = ""] = words.filter((word) => word.startsWith("virtio-blk-pci,"));
  assert.match(disk, /drive=disk,bootindex=0/);
  assert.match(medium, /drive=medium,bootindex=1/);
  assert.match(after("-smbios"), /kernel-cmdline-extra=net\.ifnames=0 ip=10\.9\.0\.2:/);
  assert.match(after("-netdev"), new RegExp(`ifname=${node.link},`));
  assert.match(after("-cpu"), /-cx16/);
  assert.equal(qemuCommand({ plan, node, ...parts, accelerator: "kvm" })[words.indexOf("-accel") + 1], "kvm");
});

test("kernelArguments() names the address of the machine", () => {
  assert.match(
    kernelArguments(plan, node),
    / ip=10\.9\.0\.2::10\.9\.0\.1:255\.255\.255\.0:vm-controlplane-1:eth0:off$/,
  );
});

test("qemuCommand() gives a machine a screen", () => {
  const words = qemuCommand({ plan, node, ...parts, accelerator: "kvm" });
  assert.equal(words[words.indexOf("-vga") + 1], "std");
});
