import { isKind, OsError, within } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { NodeLabelSpec, NodeStatus } from "@talos-ts/machinery/resources/k8s";

/** Labels of a machine by key. */
export type NodeLabels = Readonly<Record<string, string>>;

/** Time that one machine has to tell its labels, in ms. */
const timeoutMs = 5000;

/**
 * Asks a machine for the labels of its Kubernetes node, and for those of its configuration, which it has before Kubernetes runs.
 * The latter need os:admin; without it, those of Kubernetes count alone.
 *
 * @throws when the machine does not answer
 */
export async function labelsOf(connection: ApiConnection, node: string): Promise<NodeLabels> {
  const resources = openResources(connection, node, [NodeStatus, NodeLabelSpec]);
  const configured = resources.list(NodeLabelSpec).catch((err: unknown) => {
    if (isKind(OsError.from(err), "permission-denied")) return [];
    throw err;
  });
  const answered = await within(Promise.all([resources.list(NodeStatus), configured]), timeoutMs);
  if (answered.late) {
    throw new OsError({ kind: "deadline-exceeded", message: `no answer within ${String(timeoutMs / 1000)} s` });
  }
  const [statuses, specs] = answered.value;
  return Object.assign(
    {},
    ...specs.map(({ spec }) => ({ [spec.key]: spec.value })),
    ...statuses.map(({ spec }) => spec.labels),
  ) as NodeLabels;
}
