import { field, map, message, text, type ValueOf } from "../dsl/index.ts";

/** Resource requests and limits of a control plane pod. */
export const podResources = message({
  requests: field(1, map(text)),
  limits: field(2, map(text)),
});

export type PodResources = ValueOf<typeof podResources>;
