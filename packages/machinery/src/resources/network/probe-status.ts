import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Result of a connectivity probe. */
export const ProbeStatus = defineResource({
  type: "ProbeStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["probe", "probes"],
  columns: [["Success", "{.success}"]],
  spec: {
    success: field(1, bool),
    lastError: field(2, text),
  },
});

export type ProbeStatusSpec = SpecOf<typeof ProbeStatus>;
