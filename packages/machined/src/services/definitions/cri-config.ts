import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** CAP_SYS_RESOURCE; without it the kernel refuses negative OOM scores. */
const sysResource = 24n;

/**
 * Writes the configuration of the CRI containerd. Registries and base specs come from files under `/etc/cri/conf.d`, which
 * controllers write.
 */
export async function writeCriConfig(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, criConfig({ restrictOomScore: !(await mayLowerOomScore()) }));
}

export function criConfig(options: { readonly restrictOomScore: boolean }): string {
  return `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.nri.v1.nri"]
imports = ["/etc/cri/conf.d/cri.toml"]

[debug]
level = "info"

[plugins."io.containerd.grpc.v1.cri"]
enable_unprivileged_icmp = true
enable_unprivileged_ports = true
restrict_oom_score_adj = ${String(options.restrictOomScore)}
sandbox_image = "registry.k8s.io/pause:3.10.1"

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/opt/cni/bin"
conf_dir = "/etc/cni/net.d"

[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "runc"
discard_unpacked_layers = true

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

async function mayLowerOomScore(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "");
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return bounding !== undefined && ((BigInt(`0x${bounding}`) >> sysResource) & 1n) === 1n;
}
