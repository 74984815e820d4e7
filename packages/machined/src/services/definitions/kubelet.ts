import { mkdir } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { createResource, findTyped, isAlreadyExists, type State } from "@talos-ts/cosi";
import { exists } from "@talos-ts/host";
import { kubeletHealthPort, kubernetesPaths, paths } from "@talos-ts/machinery/constants";
import { KubeletLifecycle, KubeletSpec, type KubeletSpecSpec } from "@talos-ts/machinery/resources/k8s";
import { allOf } from "../../conditions/condition.ts";
import { networkReady, timeSynced } from "../../conditions/machine-conditions.ts";
import type { IdMapping, OciMount } from "../../containerd/oci-spec.ts";
import type { ConfigStore } from "../../config-store.ts";
import { imageRunner, type ImageRunnerDependencies } from "../../runners/image.ts";
import type { Service } from "../../service.ts";
import { configuredEnvironment } from "../environment.ts";
import { checkHttpHealth } from "../http-health.ts";

const id = "kubelet";

export interface KubeletDependencies extends ImageRunnerDependencies {
  readonly state: State;
  readonly config: ConfigStore;
}

/** The kubelet, which runs the pods of the node: a privileged container of the containerd of Kubernetes. */
export function kubeletService(machine: KubeletDependencies): Service {
  const { state } = machine;
  return {
    id,
    dependsOn: ["cri"],
    volumes: [
      "/var/lib",
      "/var/lib/kubelet",
      "/var/log",
      "/var/log/audit",
      "/var/log/containers",
      "/var/log/pods",
      "/var/lib/kubelet/seccomp",
      "/var/lib/kubelet/seccomp/profiles",
      kubernetesPaths.auditLog,
      "/var/mnt",
    ],
    condition: allOf(timeSynced(state), networkReady(state)),
    async prepare(signal, report) {
      const { image } = await kubeletSpec(machine);
      await machine.images.ensure(image, { namespace: "system", signal, report });
      // Tells those who act when the kubelet goes away that it is about to be there.
      await state
        .create(createResource(KubeletLifecycle, KubeletLifecycle.id, KubeletLifecycle.spec({})))
        .catch((err: unknown) => {
          if (!isAlreadyExists(err)) throw err;
        });
    },
    runner: () =>
      imageRunner(machine, {
        id,
        oomScoreAdjustment: -996,
        async container() {
          const { image, args, extraMounts } = await kubeletSpec(machine);
          for (const { source } of extraMounts)
            await mkdir(`${machine.root}${source}`, { recursive: true, mode: 0o700 });
          return {
            id,
            image,
            args: ["/usr/local/bin/kubelet", ...args],
            env: await configuredEnvironment(machine.config),
            privileged: true,
            hostNamespaces: ["network", "pid"],
            rootfsPropagation: "shared",
            mounts: [...(await systemMounts()), ...extraMounts.map(ociMount)],
            cgroup: "/podruntime/kubelet",
          };
        },
      }),
    health: { settings: { initialDelayMs: 2000 }, check: checkHealth },
    api: ["start", "restart"],
  };
}

/** @throws OsError `k8s/no-kubelet-spec` */
async function kubeletSpec(machine: KubeletDependencies): Promise<KubeletSpecSpec> {
  const resource = await findTyped(machine.state, KubeletSpec, KubeletSpec.id);
  if (resource !== undefined) return resource.spec;
  throw new OsError({
    kind: "failed-precondition",
    code: "k8s/no-kubelet-spec",
    message: "failed to get kubelet spec: it does not exist",
    next: "talosctl get kubeletspec",
  });
}

const bind = (path: string, options: readonly string[], destination = path): OciMount => ({
  destination,
  type: "bind",
  source: path,
  options,
});

/** Mounts of the machine that every kubelet has. Mounts of pods must travel both ways through `/var/lib/kubelet`. */
const requiredMounts: readonly OciMount[] = [
  bind("/run", ["rbind", "rslave", "rw"]),
  bind("/run", ["rbind", "rslave", "rw"], "/var/run"),
  bind("/etc/kubernetes", ["bind", "rw"]),
  bind("/etc/machine-id", ["bind", "ro"]),
  bind("/etc/os-release", ["bind", "ro"]),
  bind(paths.podResolvConf, ["bind", "ro"]),
  bind("/etc/cni", ["bind", "ro"]),
  bind("/usr/libexec/kubernetes", ["bind", "rw"]),
  bind("/var/lib/containerd", ["rbind", "rslave", "rw"]),
  bind("/var/lib/kubelet", ["rbind", "rshared", "rw"]),
  bind("/var/log/containers", ["bind", "rw"]),
  bind("/var/log/pods", ["bind", "rw"]),
  bind("/var/mnt", ["rbind", "rslave", "ro"]),
];

/** Mounts that not every machine has. */
const optionalMounts: readonly OciMount[] = [
  bind("/usr/lib/modules", ["bind", "ro"], "/lib/modules"),
  bind("/etc/nfsmount.conf", ["bind", "ro"]),
  bind(kubernetesPaths.credentialProviders, ["bind", "ro"]),
  bind("/sys/kernel/security", ["bind", "ro"]),
];

async function systemMounts(): Promise<readonly OciMount[]> {
  const present = await Promise.all(optionalMounts.map(({ source }) => exists(source)));
  return [...requiredMounts, ...optionalMounts.filter((_, index) => present[index])];
}

type ExtraMount = KubeletSpecSpec["extraMounts"][number];

function ociMount({ destination, type, source, options, uidMappings, gidMappings }: ExtraMount): OciMount {
  return {
    destination,
    type: type === "" ? "bind" : type,
    source,
    options,
    ...(uidMappings.length === 0 ? {} : { uidMappings: uidMappings.map(idMapping) }),
    ...(gidMappings.length === 0 ? {} : { gidMappings: gidMappings.map(idMapping) }),
  };
}

function idMapping({ containerId, hostId, size }: ExtraMount["uidMappings"][number]): IdMapping {
  return { containerID: containerId, hostID: hostId, size };
}

function checkHealth(signal: AbortSignal): Promise<void> {
  return checkHttpHealth(`http://127.0.0.1:${String(kubeletHealthPort)}/healthz`, signal, `talosctl logs ${id}`);
}
