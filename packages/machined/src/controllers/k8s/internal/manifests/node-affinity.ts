interface Requirement {
  readonly key: string;
  readonly operator: "In";
  readonly values: readonly string[];
}

const linux: Requirement = { key: "kubernetes.io/os", operator: "In", values: ["linux"] };
const architectures: Requirement = { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] };

function nodeAffinity(...matchExpressions: readonly Requirement[]): object {
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}

/** Nodes that run Linux. */
export const onLinux = nodeAffinity(linux);
/** Nodes that run Linux on a processor there are images for. */
export const onSupported = nodeAffinity(linux, architectures);

/** Pods of a DaemonSet that every node needs run on nodes with any taint. */
export const tolerateEverything = [
  { effect: "NoSchedule", operator: "Exists" },
  { effect: "NoExecute", operator: "Exists" },
] as const;

/** An environment variable from a field of the pod. */
export function fromField(name: string, fieldPath: string): object {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
