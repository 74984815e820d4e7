import { kinds, type NodeObject } from "@talos-ts/kubernetes";
import { allNodes, type HealthCheck, type HealthSubject } from "../check.ts";
import { quoted, sameSet, unmet } from "../failure.ts";

const roleLabel = "node-role.kubernetes.io/control-plane";

async function kubernetesNodes(subject: HealthSubject, signal: AbortSignal): Promise<readonly NodeObject[]> {
  const client = await subject.kubernetes();
  return (await client.list<NodeObject>(kinds.node, { signal })).items;
}

/** Internal addresses of a node. */
function addressesOf({ status }: NodeObject): readonly string[] {
  return (status?.addresses ?? []).filter(({ type }) => type === "InternalIP").map(({ address }) => address);
}

/** The nodes of the cluster's own list that Kubernetes has too, by address. */
function reported(nodes: readonly NodeObject[], expected: readonly string[]): readonly string[] {
  const known = new Set(nodes.flatMap(addressesOf));
  return expected.filter((node) => known.has(node));
}

export const nodesReport: HealthCheck = {
  name: "all k8s nodes to report",
  async check(subject, signal) {
    const nodes = await kubernetesNodes(subject, signal);
    const expected = allNodes(subject);
    const found = reported(nodes, expected);
    const missing = expected.filter((node) => !found.includes(node));
    if (missing.length > 0) {
      throw unmet(
        `can't find expected node with IPs ${quoted(missing)}`,
        `talosctl --nodes ${missing[0] ?? ""} logs kubelet`,
      );
    }
    const unexpected = nodes.filter((node) => !addressesOf(node).some((address) => expected.includes(address)));
    if (unexpected.length === 0) return;
    const names = unexpected.map(({ metadata }) => metadata.name ?? "");
    throw unmet(`unexpected nodes with names ${quoted(names)}`, "kubectl get nodes -o wide");
  },
};

export const nodesReady: HealthCheck = {
  name: "all k8s nodes to report ready",
  async check(subject, signal) {
    for (const { metadata, status } of await kubernetesNodes(subject, signal)) {
      const ready = status?.conditions?.find(({ type }) => type === "Ready");
      if (ready?.status === "True") continue;
      const reason = ready?.message ?? "it has no condition Ready";
      throw unmet(
        `node ${metadata.name ?? ""} is not ready: ${reason}`,
        `kubectl describe node ${metadata.name ?? ""}`,
      );
    }
  },
};

export const nodesSchedulable: HealthCheck = {
  name: "all k8s nodes to report schedulable",
  async check(subject, signal) {
    const nodes = await kubernetesNodes(subject, signal);
    const cordoned = nodes
      .filter(({ spec }) => spec?.unschedulable === true)
      .map(({ metadata }) => metadata.name ?? "");
    if (cordoned.length === 0) return;
    throw unmet(`some nodes are not schedulable: ${quoted(cordoned)}`, `kubectl uncordon ${cordoned[0] ?? ""}`);
  },
};

/** Names of the control planes, by the label that the machine itself puts on its node. */
export async function controlPlaneNames(subject: HealthSubject, signal: AbortSignal): Promise<readonly string[]> {
  const nodes = (await kubernetesNodes(subject, signal)).filter(
    ({ metadata }) => metadata.labels !== undefined && Object.hasOwn(metadata.labels, roleLabel),
  );
  const addresses = nodes.flatMap(addressesOf).filter((address) => subject.controlPlanes.includes(address));
  if (!sameSet(addresses, subject.controlPlanes)) {
    const text = `nodes labelled as control planes have addresses ${quoted(addresses)}, expected ${quoted(subject.controlPlanes)}`;
    throw unmet(text, "kubectl get nodes --show-labels");
  }
  return nodes.map(({ metadata }) => metadata.name ?? "");
}
