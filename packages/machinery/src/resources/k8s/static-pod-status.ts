import { defineResource, wrapped, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

/** Status of a static pod as the kubelet reports it, by namespace and name. */
export const StaticPodStatus = defineResource({
  type: "StaticPodStatuses.kubernetes.talos.dev",
  namespace: "k8s",
  aliases: ["podstatus"],
  columns: [["Ready", '{.conditions[?(@.type=="Ready")].status}']],
  spec: wrapped(1, struct),
});

export type StaticPodStatusSpec = SpecOf<typeof StaticPodStatus>;
