import { describeError, OsError } from "@talos-ts/base";
import type { Reader } from "@talos-ts/cosi";
import { ConfigPersistStatus } from "@talos-ts/machinery/resources/config";
import type { MachineStage, MachineTypeName } from "@talos-ts/machinery/resources/enums";
import { NodeStatus, Nodename, StaticPodStatus } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";

export interface UnmetCondition {
  readonly name: string;
  readonly reason: string;
}

/** Says what is missing, or nothing. */
type Check = (reader: Reader, type: MachineTypeName) => Promise<string | undefined>;

/** Conditions of a ready machine, in the order in which they are reported. */
const checks: Readonly<Record<string, Check>> = {
  async time(reader) {
    const { synced } = (await reader.get(TimeStatus, TimeStatus.id)).spec;
    return synced ? undefined : "time is not synced";
  },
  async network(reader) {
    const { spec } = await reader.get(NetworkStatus, NetworkStatus.id);
    const missing = networkFlags.filter(([flag]) => !spec[flag]).map(([, text]) => text);
    return missing.length === 0 ? undefined : `waiting on: ${missing.join(", ")}`;
  },
  async services(reader, type) {
    const services = await reader.list(Service);
    const running = new Set(services.filter(({ spec }) => spec.running).map(({ metadata }) => metadata.id));
    const known = services.flatMap(({ metadata: { id }, spec }) => {
      if (!spec.running) return [`${id} not running`];
      return spec.unknown || spec.healthy ? [] : [`${id} not healthy`];
    });
    const absent = requiredServices(type)
      .filter((id) => !running.has(id))
      .map((id) => `${id} not running`);
    return textOf([...known, ...absent]);
  },
  async staticPods(reader) {
    const pods = await reader.list(StaticPodStatus);
    return textOf(
      pods.flatMap(({ metadata: { id }, spec }) => {
        const problem = podProblem(spec);
        return problem === undefined ? [] : [`${id} ${problem}`];
      }),
    );
  },
  async nodeReady(reader) {
    const nodename = await reader.find(Nodename, Nodename.id);
    if (nodename === undefined || nodename.spec.skipNodeRegistration) return undefined;
    const name = JSON.stringify(nodename.spec.nodename);
    const node = await reader.find(NodeStatus, nodename.spec.nodename);
    if (node === undefined) return `node ${name} status is not available yet`;
    return node.spec.nodeReady ? undefined : `node ${name} is not ready`;
  },
  configPersistence,
};

async function configPersistence(reader: Reader): Promise<string | undefined> {
  const { error = "" } = (await reader.find(ConfigPersistStatus, ConfigPersistStatus.id))?.spec ?? {};
  return error === "" ? undefined : `machine configuration is not on disk: ${error}`;
}

/** A machine that waits for a configuration is as it should be, unless it cannot keep one. */
const maintenanceChecks: Readonly<Record<string, Check>> = { configPersistence };

const networkFlags = [
  ["addressReady", "address"],
  ["connectivityReady", "connectivity"],
  ["etcFilesReady", "etc-files"],
  ["hostnameReady", "hostname"],
] as const;

function requiredServices(type: MachineTypeName): readonly string[] {
  const everywhere = ["apid", "machined", "kubelet"];
  return type === "controlplane" || type === "init" ? [...everywhere, "etcd", "trustd"] : everywhere;
}

interface PodStatus {
  readonly phase?: unknown;
  readonly conditions?: readonly { readonly type?: unknown; readonly status?: unknown }[];
}

function podProblem(status: PodStatus): string | undefined {
  if (status.phase === "Pending" || status.phase === "Failed" || status.phase === "Unknown") {
    return status.phase.toLowerCase();
  }
  if (status.phase !== "Running") return undefined;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" ? undefined : "not ready";
}

function textOf(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : problems.join(", ");
}

/** Everything a machine still waits for. Only one that boots, runs or waits for a configuration can be unready. */
export async function unmetConditions(
  reader: Reader,
  stage: MachineStage,
  type: MachineTypeName,
): Promise<readonly UnmetCondition[]> {
  const relevant = { booting: checks, running: checks, maintenance: maintenanceChecks };
  const unmet: UnmetCondition[] = [];
  for (const [name, check] of Object.entries(relevant[stage as keyof typeof relevant] ?? {})) {
    const reason = await check(reader, type).catch((err: unknown) => describeError(OsError.from(err)));
    if (reason !== undefined) unmet.push({ name, reason });
  }
  return unmet;
}
