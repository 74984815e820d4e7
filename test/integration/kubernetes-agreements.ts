import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubernetesCluster } from "./kubernetes-support.ts";

interface Request {
  readonly spec: { readonly signerName: string; readonly username: string };
  readonly status: { readonly conditions?: readonly { readonly type: string }[]; readonly certificate?: string };
}

interface ContainerSpec {
  readonly process: { readonly capabilities: { readonly bounding: readonly string[] } };
  readonly mounts: readonly { readonly destination: string; readonly options?: readonly string[] }[];
  readonly linux: {
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly resources?: { readonly devices?: readonly { readonly allow: boolean; readonly access?: string }[] };
    readonly rootfsPropagation?: string;
  };
}

/** Folders of the machine that the kubelet has: its mounts, and those through which its own mounts are seen outside. */
const kubeletMounts = [
  "/dev",
  "/etc/cni",
  "/etc/kubernetes",
  "/etc/machine-id",
  "/etc/os-release",
  "/sys/fs/cgroup",
  "/usr/libexec/kubernetes",
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/log/containers",
  "/var/log/pods",
  "/var/run",
];

/** Tests what a machine and its Kubernetes agree on, read from files and objects of the live cluster. */
export function agreements(cluster: () => KubernetesCluster): void {
  const read = async (address: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cluster().home.talosctl("--nodes", address, ...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const file = (path: string): Promise<string> => read(cluster().controlPlane, "read", path);
  const kubectl = (...args: readonly string[]): Promise<string> => cluster().kubectl(...args);

  void describe("a machine and its Kubernetes", () => {
    void it("T-47, T-52, T-53: kubelets registered with the bootstrap token, and got client certificates for it", async () => {
      const secrets = await kubectl("get", "secrets", "-n", "kube-system", "-o", "name");
      const token = /^secret\/bootstrap-token-(\w+)$/m.exec(secrets)?.[1] ?? "no token";
      const { items } = JSON.parse(await kubectl("get", "csr", "-o", "json")) as { readonly items: readonly Request[] };
      const own = items.filter(({ spec }) => spec.signerName === "kubernetes.io/kube-apiserver-client-kubelet");
      assert.ok(own.length >= 2, JSON.stringify(items));
      for (const { spec, status } of own) {
        assert.equal(spec.username, `system:bootstrap:${token}`);
        assert.deepEqual(
          status.conditions?.map(({ type }) => type),
          ["Approved"],
        );
        assert.notEqual(status.certificate ?? "", "");
      }
    });
    void it("T-52, T-61: the kubelet keeps a signed client certificate and a server certificate of its own", async () => {
      const names = await read(cluster().worker, "list", "/var/lib/kubelet/pki");
      for (const name of [/kubelet-client-current\.pem/, /kubelet\.crt/, /kubelet\.key/]) assert.match(names, name);
    });
    void it("T-57: the machine has the plugins of the pod network, flannel only brings their configuration", async () => {
      const plugins = await read(cluster().worker, "list", "/opt/cni/bin");
      for (const name of ["bridge", "firewall", "flannel", "host-local", "loopback", "portmap"]) {
        assert.match(plugins, new RegExp(` ${name}$`, "m"));
      }
      const path = "jsonpath={.spec.template.spec.initContainers[*].name}";
      assert.equal(
        await kubectl("get", "daemonset", "kube-flannel", "-n", "kube-system", "-o", path),
        "install-config",
      );
    });
    void it("T-63, T-64, T-75: the parts of the control plane talk over KubePrism, the API server to its own etcd", async () => {
      for (const part of ["kube-controller-manager", "kube-scheduler"]) {
        const config = await file(`/system/secrets/kubernetes/${part}/kubeconfig`);
        assert.match(config, /server: https:\/\/127\.0\.0\.1:7445$/m, part);
      }
      assert.match(await file("/etc/kubernetes/bootstrap-kubeconfig"), /server: https:\/\/127\.0\.0\.1:7445$/m);
      const pod = await read(cluster().controlPlane, "get", "staticpods", "kube-apiserver", "-o", "yaml");
      assert.match(pod, /--etcd-servers=https:\/\/127\.0\.0\.1:2379/);
    });
    void it("C-20, C-21: the kubelet has the network, the processes, the devices and the folders of the machine", async () => {
      const path = "/run/containerd/io.containerd.runtime.v2.task/system/kubelet/config.json";
      const { process, mounts, linux } = JSON.parse(await file(path)) as ContainerSpec;
      const kinds = new Set(linux.namespaces.map(({ type }) => type));
      for (const shared of ["network", "pid"]) assert.ok(!kinds.has(shared), shared);
      assert.ok(process.capabilities.bounding.includes("CAP_SYS_ADMIN"));
      assert.ok(linux.resources?.devices?.some(({ allow, access }) => allow && access === "rwm"));
      assert.equal(linux.rootfsPropagation, "shared");
      const found = new Map(mounts.map(({ destination, options = [] }) => [destination, options]));
      for (const wanted of kubeletMounts) assert.ok(found.has(wanted), `${wanted}: ${[...found.keys()].join(" ")}`);
      assert.ok(found.get("/var/lib/kubelet")?.includes("rshared"));
      assert.ok(found.get("/etc/cni")?.includes("ro"));
    });
  });
}
