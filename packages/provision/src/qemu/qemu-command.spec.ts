import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster } from "../cluster-plan.ts";
import { kernelArguments, qemuCommand } from "./qemu-command.ts";

const plan = planCluster(
  { name: "vm", provisioner: "qemu", subnet: "10.9.0.0/24", memoryBytes: 1024 ** 3 },
  "/clusters,x",
);
const [node] = plan.nodes;
assert.ok(node !== undefined);
const boot = { kernel: "/cache/vmlinuz", initramfs: "/cache/initramfs.cpio", release: "6.12" };

test("qemuCommand() gives a machine its memory, disk, network and console", () => {
  const words = qemuCommand({ plan, node, boot, accelerator: "tcg" });
  const after = (name: string): string => words[words.indexOf(name) + 1] ?? "";
  assert.equal(words[0], "qemu-system-x86_64");
  assert.equal(after("-m"), "1024M");
  assert.match(after("-drive"), /^file=\/clusters,,x\/vm\/nodes\/vm-controlplane-1\/disk\.img,if=virtio,/);
  assert.match(after("-netdev"), new RegExp(`ifname=${node.link},`));
  assert.match(after("-cpu"), /-cx16/);
  assert.equal(qemuCommand({ plan, node, boot, accelerator: "kvm" })[words.indexOf("-accel") + 1], "kvm");
});

test("kernelArguments() names the address of the machine", () => {
  assert.match(
    kernelArguments(plan, node),
    / ip=10\.9\.0\.2::10\.9\.0\.1:255\.255\.255\.0:vm-controlplane-1:eth0:off$/,
  );
});

test("qemuCommand() gives a machine a screen, to which its kernel logs as well as to the serial line", () => {
  const words = qemuCommand({ plan, node, boot, accelerator: "kvm" });
  assert.equal(words[words.indexOf("-vga") + 1], "std");
  assert.match(words.join(" "), / console=tty0 console=ttyS0 /);
});
