import { isKind } from "@talos-ts/base";
import { kindOf, type Resource } from "@talos-ts/cosi";
import { kinds, type KindRef, type KubernetesObject, type PodObject } from "@talos-ts/kubernetes";
import { StaticPodStatus, type StaticPodStatusSpec } from "../../resources/k8s/index.ts";
import type { HealthCheck, HealthSubject } from "../check.ts";
import { quoted, unmet } from "../failure.ts";
import { controlPlaneNames } from "./kubernetes-nodes.ts";

const namespace = "kube-system";
const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

export const staticPodsRunning: HealthCheck = {
  name: "all control plane static pods to be running",
  async check(subject, _signal) {
    for (const node of subject.controlPlanes) {
      const pods = (await subject
        .resources(node)
        .list(kindOf(StaticPodStatus))) as readonly Resource<StaticPodStatusSpec>[];
      const running = pods.filter(({ spec }) => spec["phase"] === "Running").map(({ metadata }) => metadata.id);
      const missing = components.filter((name) => !running.some((id) => id.startsWith(`${namespace}/${name}`)));
      if (missing.length === 0) continue;
      throw unmet(`missing static pods on node ${node}: ${quoted(missing)}`, `talosctl --nodes ${node} containers -k`);
    }
  },
};

async function podsOf(
  subject: HealthSubject,
  labelSelector: string,
  signal: AbortSignal,
): Promise<readonly PodObject[]> {
  const client = await subject.kubernetes();
  const { items } = await client.list<PodObject>(kinds.pod, { namespace, labelSelector, signal });
  // What has ended or is being deleted says nothing about now.
  return items.filter(
    ({ status, metadata }) => status?.phase !== "Succeeded" && metadata.deletionTimestamp === undefined,
  );
}

/** Returns why a pod is not ready; `undefined` when it is. */
function podProblem({ metadata, status }: PodObject): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (status?.phase === "Running" && ready?.status === "True") return undefined;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = containers.flatMap(({ name, state }) => {
    const { reason, message } = state?.waiting ?? {};
    return reason === undefined ? [] : [`${name}: ${reason}${message === undefined ? "" : ` (${message})`}`];
  });
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  const why = waiting[0] ?? (scheduled?.status === "False" ? scheduled.message : undefined) ?? ready?.message;
  return `${metadata.name ?? ""} is ${status?.phase ?? "unknown"}${why === undefined ? ", not ready" : `: ${why}`}`;
}

function requireReady(pods: readonly PodObject[], title: string): void {
  for (const pod of pods) {
    const problem = podProblem(pod);
    if (problem === undefined) continue;
    throw unmet(
      `some pods of ${title} are not ready: ${problem}`,
      `kubectl -n ${namespace} describe pod ${pod.metadata.name ?? ""}`,
    );
  }
}

export const componentsReady: HealthCheck = {
  name: "all control plane components to be ready",
  async check(subject, signal) {
    const names = await controlPlaneNames(subject, signal);
    for (const component of components) {
      const pods = await podsOf(subject, `k8s-app=${component}`, signal);
      const missing = names.filter((name) => !pods.some(({ spec }) => spec?.nodeName === name));
      if (missing.length > 0) {
        throw unmet(
          `expected number of pods for ${component} to be ${String(names.length)}, missing on ${quoted(missing)}`,
          `kubectl -n ${namespace} get pods -o wide`,
        );
      }
      requireReady(pods, component);
    }
  },
};

/** Reports whether a workload exists; without it there is nothing to wait for. */
async function exists(subject: HealthSubject, kind: KindRef, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await (await subject.kubernetes()).get<KubernetesObject>({ ...kind, name, namespace }, { signal });
    return true;
  } catch (err) {
    if (isKind(err, "not-found")) return false;
    throw err;
  }
}

function workloadReady(title: string, workload: KindRef, name: string, labelSelector: string): HealthCheck {
  return {
    name: `${title} to report ready`,
    async check(subject, signal) {
      if (!(await exists(subject, workload, name, signal))) return "skipped";
      const pods = await podsOf(subject, labelSelector, signal);
      if (pods.length === 0) {
        throw unmet(`no ${title} pods found`, `kubectl -n ${namespace} get pods -l ${labelSelector}`);
      }
      requireReady(pods, title);
      return undefined;
    },
  };
}

export const kubeProxyReady = workloadReady("kube-proxy", kinds.daemonSet, "kube-proxy", "k8s-app=kube-proxy");
export const coreDnsReady = workloadReady("coredns", kinds.deployment, "coredns", "k8s-app=kube-dns");
