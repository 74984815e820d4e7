import { join } from "node:path";
import type { Reader } from "@talos-ts/cosi";
import { loadKubeconfig, parseKubeconfig, type KubernetesAccess } from "@talos-ts/kubernetes";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { KubeletKubeconfig } from "@talos-ts/machinery/resources/k8s";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";

/** Kubeconfig that the kubelet obtained with the bootstrap token. */
export const kubeletKubeconfigPath = "/etc/kubernetes/kubeconfig-kubelet";

/** Finds resources; controllers and tasks do it in their own ways. */
export type Finder = Pick<Reader, "find">;

/** An access to Kubernetes, and what it was made from: another `basis` is another access. */
export interface NodeAccess {
  readonly basis: string;
  readonly access: () => Promise<KubernetesAccess>;
}

/** The access of the kubelet, as soon as it has a certificate. Files are read for every request: the kubelet renews them. */
export async function kubeletAccess(reader: Finder, root: string): Promise<NodeAccess | undefined> {
  const kubeconfig = await reader.find(KubeletKubeconfig, KubeletKubeconfig.id);
  if (kubeconfig === undefined) return undefined;
  return {
    basis: `kubelet ${kubeconfig.spec.hash}`,
    access: () => loadKubeconfig(join(root, kubeletKubeconfigPath), root),
  };
}

export type AdminKubeconfig = "adminKubeconfig" | "localhostAdminKubeconfig";

/** The access of an administrator, which control planes issue to themselves. */
export async function adminAccess(reader: Finder, which: AdminKubeconfig): Promise<NodeAccess | undefined> {
  const secret = await reader.find(KubernetesSecret, KubernetesSecret.id);
  if (secret === undefined) return undefined;
  const kubeconfig = secret.spec[which];
  return { basis: `${which} ${String(secret.metadata.version)}`, access: () => parseKubeconfig(kubeconfig) };
}

/** The access with which this machine may change its own node: an administrator's on control planes, else the kubelet's. */
export async function ownAccess(reader: Finder, root: string, which: AdminKubeconfig): Promise<NodeAccess | undefined> {
  const type = (await reader.find(MachineType, MachineType.id))?.spec;
  if (type === "controlplane" || type === "init") return await adminAccess(reader, which);
  return type === "worker" ? await kubeletAccess(reader, root) : undefined;
}
