import { isKind, OsError, type Clock } from "@talos-ts/base";
import { reconcileController, RequeueAfter, weak, type Controller, type Reader } from "@talos-ts/cosi";
import { createKubernetesClient, kinds, type KubernetesClient, type NodeObject } from "@talos-ts/kubernetes";
import { MachineType } from "@talos-ts/machinery/resources/config";
import {
  KubeletKubeconfig,
  NodeAnnotationSpec,
  NodeCordonedSpec,
  NodeLabelSpec,
  Nodename,
  NodeStatus,
  NodeTaintSpec,
} from "@talos-ts/machinery/resources/k8s";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { ownAccess } from "./internal/kubernetes-access.ts";
import { withWishes, type NodeWishes } from "./internal/node-changes.ts";

/** Time until another attempt when the node is not registered or the API does not answer, in ms. */
const retryMs = 2000;
/** Kinds of failures that time heals: the API is not up, or the node object changed meanwhile. */
const passing = [
  "unavailable",
  "deadline-exceeded",
  "aborted",
  "not-found",
  "permission-denied",
  "unauthenticated",
] as const;

/** Puts labels, annotations, taints and the cordon on the Kubernetes node, and takes back what is no longer wanted. */
export function nodeApplyController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return reconcileController({
    name: "k8s.NodeApplyController",
    inputs: [
      weak(NodeAnnotationSpec),
      weak(NodeLabelSpec),
      weak(NodeTaintSpec),
      weak(NodeCordonedSpec),
      weak(Nodename, { id: Nodename.id }),
      // A node that was deleted and registered again needs everything anew.
      weak(NodeStatus),
      weak(MachineType, { id: MachineType.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
    ],
    outputs: [],
    async reconcile(context) {
      const nodename = (await context.find(Nodename, Nodename.id))?.spec;
      if (nodename === undefined || nodename.skipNodeRegistration) return;
      const access = await ownAccess(context, machine.root, "localhostAdminKubeconfig");
      if (access === undefined) return;
      using client = createKubernetesClient({ access: access.access, clock: machine.clock });
      const wishes = await wishesOf(context);
      try {
        await apply(client, nodename.nodename, wishes, context.signal);
      } catch (err) {
        if (!passing.some((kind) => isKind(err, kind))) throw err;
        context.logger.debug("node cannot be changed yet", { error: OsError.from(err).message });
        throw new RequeueAfter(retryMs);
      }
    },
  });
}

async function apply(client: KubernetesClient, name: string, wishes: NodeWishes, signal: AbortSignal): Promise<void> {
  const node = await client.get<NodeObject>({ ...kinds.node, name }, { signal });
  const changed = withWishes(node, wishes);
  // Carries the resource version that was read, so that a change in between is a conflict and not lost.
  if (changed !== node) await client.update({ apiVersion: "v1", kind: "Node", ...changed }, { signal });
}

async function wishesOf(reader: Reader): Promise<NodeWishes> {
  const labels = await reader.list(NodeLabelSpec);
  const annotations = await reader.list(NodeAnnotationSpec);
  const taints = await reader.list(NodeTaintSpec);
  const cordoned = await reader.list(NodeCordonedSpec);
  return {
    labels: Object.fromEntries(labels.map(({ spec: { key, value } }) => [key, value])),
    annotations: Object.fromEntries(annotations.map(({ spec: { key, value } }) => [key, value])),
    taints: taints.map(({ spec: { key, value, effect } }) => ({ key, value, effect })),
    cordoned: cordoned.some(({ metadata }) => metadata.phase === "running"),
  };
}
