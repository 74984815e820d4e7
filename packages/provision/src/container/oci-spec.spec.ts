import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster } from "../cluster-plan.ts";
import type { HostFacts } from "./host-facts.ts";
import { ociSpec, type OciMount } from "./oci-spec.ts";

const plan = planCluster({ name: "a", cpus: 1.5, memoryBytes: 3 * 1024 ** 3 }, "/clusters");
const host: HostFacts = {
  capabilities: ["CAP_SYS_ADMIN"],
  openFiles: 4096,
  devices: [{ path: "/dev/kmsg", type: "c", major: 1, minor: 11 }],
  ipv6: true,
  nameservers: [],
};

interface Spec {
  readonly hostname: string;
  readonly root: unknown;
  readonly annotations: unknown;
  readonly process: {
    readonly args: unknown;
    readonly env: readonly string[];
    readonly capabilities: Readonly<Record<string, readonly string[]>>;
  };
  readonly mounts: readonly OciMount[];
  readonly linux: {
    readonly namespaces: readonly { readonly type: string }[];
    readonly sysctl?: unknown;
    readonly devices: unknown;
    readonly resources: { readonly memory: unknown; readonly cpu: unknown };
  };
}

function specOf(config?: string, facts: HostFacts = host): Spec {
  const [node] = plan.nodes;
  assert.ok(node);
  return ociSpec({ plan, node, host: facts, rootfs: "/rootfs", config }) as unknown as Spec;
}

test("ociSpec keeps the contract of a container node: environment, labels, read-only root", () => {
  const spec = specOf("version: v1alpha1\n");
  assert.deepEqual(spec.process.args, ["/sbin/init"]);
  assert.deepEqual(spec.process.env.slice(1), [
    "PLATFORM=container",
    "TALOSSKU=2CPU-3072RAM",
    `USERDATA=${Buffer.from("version: v1alpha1\n").toString("base64")}`,
  ]);
  assert.deepEqual(spec.root, { path: "/rootfs", readonly: true });
  assert.deepEqual(spec.annotations, {
    "talos.owned": "true",
    "talos.cluster.name": "a",
    "talos.type": "controlplane",
  });
  assert.equal(spec.hostname, "a-controlplane-1");
  assert.deepEqual(spec.linux.sysctl, { "net.ipv6.conf.all.disable_ipv6": "0" });
});

test("ociSpec keeps the contract of a container node: memory file systems and volumes", () => {
  const { mounts } = specOf();
  const kind = (type: string): string[] =>
    mounts.filter((mount) => mount.type === type).map((mount) => mount.destination);
  for (const path of ["/run", "/system", "/tmp"]) assert.ok(kind("tmpfs").includes(path), path);
  const volumes = "/etc/cni /etc/kubernetes /opt /system/state /usr/libexec/kubernetes /var";
  const files = "/etc/hostname /etc/hosts /etc/resolv.conf";
  assert.equal(kind("bind").join(" "), `/usr/etc ${volumes} /system/power ${files}`);
  assert.ok(kind("cgroup").includes("/sys/fs/cgroup"));
});

test("ociSpec mounts /system before the volume inside it", () => {
  const order = specOf().mounts.map((mount) => mount.destination);
  assert.ok(order.indexOf("/system") < order.indexOf("/system/state"));
});

test("ociSpec shows the image cache read-only, inside /system, only where there is one", () => {
  const withCache = planCluster({ name: "a", imageCache: "/cache/layout" }, "/clusters");
  const [node] = withCache.nodes;
  assert.ok(node);
  const { mounts } = ociSpec({ plan: withCache, node, host, rootfs: "/rootfs", config: undefined }) as unknown as Spec;
  const order = mounts.map((mount) => mount.destination);
  assert.ok(order.indexOf("/system") < order.indexOf("/system/imagecache/disk"));
  assert.deepEqual(
    mounts.find((mount) => mount.destination === "/system/imagecache/disk"),
    { destination: "/system/imagecache/disk", type: "bind", source: "/cache/layout", options: ["rbind", "ro"] },
  );
  assert.equal(
    specOf().mounts.some((mount) => mount.destination.includes("imagecache")),
    false,
  );
});

test("ociSpec asks for no more than the host has", () => {
  const spec = specOf(undefined, { ...host, ipv6: false });
  assert.deepEqual(spec.process.capabilities["bounding"], ["CAP_SYS_ADMIN"]);
  assert.equal(spec.linux.sysctl, undefined);
  assert.equal(
    spec.process.env.some((entry) => entry.startsWith("USERDATA=")),
    false,
  );
  assert.deepEqual(spec.linux.devices, [
    { path: "/dev/kmsg", type: "c", major: 1, minor: 11, fileMode: 0o660, uid: 0, gid: 0 },
  ]);
});

test("ociSpec limits memory and processors and gives the node six namespaces", () => {
  const { linux } = specOf();
  assert.deepEqual(linux.resources.memory, { limit: 3 * 1024 ** 3 });
  assert.deepEqual(linux.resources.cpu, { period: 100_000, quota: 150_000 });
  assert.deepEqual(linux.namespaces.map(({ type }) => type).sort(), [
    "cgroup",
    "ipc",
    "mount",
    "network",
    "pid",
    "uts",
  ]);
});

test("ociSpec adds the mounts of the request last, and switches IPv6 off when asked", () => {
  const mounts = [
    { type: "bind", source: "/srv", target: "/var/mnt/srv", readonly: true },
    { type: "tmpfs", source: "", target: "/var/scratch", readonly: false },
  ] as const;
  const wanted = planCluster({ name: "a", mounts, disableIpv6: true }, "/clusters");
  const [node] = wanted.nodes;
  assert.ok(node);
  const spec = ociSpec({ plan: wanted, node, host, rootfs: "/rootfs", config: undefined }) as unknown as Spec;
  assert.deepEqual(spec.mounts.slice(-2), [
    { destination: "/var/mnt/srv", source: "/srv", type: "bind", options: ["rbind", "ro"] },
    { destination: "/var/scratch", source: "tmpfs", type: "tmpfs", options: ["nosuid", "nodev", "rw"] },
  ]);
  assert.deepEqual(spec.linux.sysctl, { "net.ipv6.conf.all.disable_ipv6": "1" });
});
