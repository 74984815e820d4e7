import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/**
 * A part of the network configuration that could not be applied, and the reason. It goes away once the part is applied or
 * no longer wanted.
 */
export const NetworkProblem = defineResource({
  type: "NetworkProblems.net.talos.dev",
  namespace: "network",
  columns: [
    ["Subject", "{.subject}"],
    ["Reason", "{.reason}"],
  ],
  spec: {
    subject: field(1, text),
    reason: field(2, text),
    next: field(3, text),
  },
});

export type NetworkProblemSpec = SpecOf<typeof NetworkProblem>;
