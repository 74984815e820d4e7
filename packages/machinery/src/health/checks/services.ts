import type { ServiceInfo } from "@talos-ts/proto/machine/service";
import { allNodes, type HealthCheck, type HealthSubject } from "../check.ts";
import { unmet } from "../failure.ts";

async function requireService(
  subject: HealthSubject,
  nodes: readonly string[],
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      const { messages } = await subject.machine(node).serviceList({}, { signal });
      const service = messages.flatMap(({ services }) => services).find((candidate) => candidate.id === id);
      const problem = problemOf(service, id);
      if (problem !== undefined) throw unmet(`${node}: ${problem}`, `talosctl --nodes ${node} service ${id}`);
    }),
  );
}

function problemOf(service: ServiceInfo | undefined, id: string): string | undefined {
  if (service === undefined) return `service "${id}" is not there`;
  const last = service.events?.events.at(-1)?.msg ?? "";
  if (service.state !== "Running")
    return `service "${id}" is not running: ${service.state}${last === "" ? "" : ` (${last})`}`;
  const { healthy = false, unknown = true, lastMessage = "" } = service.health ?? {};
  if (!unknown && !healthy) return `service "${id}" is not healthy: ${lastMessage}`;
  return healthy ? undefined : `the health of service "${id}" is not known yet`;
}

export const etcdHealthy: HealthCheck = {
  name: "etcd to be healthy",
  check: (subject, signal) => requireService(subject, subject.controlPlanes, "etcd", signal),
};

export const apidReady: HealthCheck = {
  name: "apid to be ready",
  check: (subject, signal) => requireService(subject, allNodes(subject), "apid", signal),
};

export const kubeletHealthy: HealthCheck = {
  name: "kubelet to be healthy",
  check: (subject, signal) => requireService(subject, allNodes(subject), "kubelet", signal),
};
