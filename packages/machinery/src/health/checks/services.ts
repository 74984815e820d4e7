import type { ServiceInfo } from "@talos-ts/proto/machine/service";
import { allNodes, type HealthCheck, type HealthSubject } from "../check.ts";
import { unmet } from "../failure.ts";

/** First words of the event of a service that ended by itself and is started again. */
const crashPrefix = "Error running ";

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
      if (problem === undefined) return;
      const command = crashOf(service) === undefined ? "service" : "logs";
      throw unmet(`${node}: ${problem}`, `talosctl --nodes ${node} ${command} ${id}`);
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
  if (healthy) return undefined;
  const crash = crashOf(service);
  return `the health of service "${id}" is not known yet${crash === undefined ? "" : ` (${crash})`}`;
}

/** The last failure of a service that is restarted again and again; one that was healthy since then is over it. */
function crashOf(service: ServiceInfo | undefined): string | undefined {
  const events = service?.events?.events ?? [];
  const last = events.findLast(({ msg }) => msg.startsWith(crashPrefix) || msg === "Health check successful");
  return last?.msg.startsWith(crashPrefix) === true ? last.msg : undefined;
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
