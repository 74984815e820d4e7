import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** Time servers in effect. */
export const TimeServerStatus = defineResource({
  type: "TimeServerStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["timeserver", "timeservers"],
  columns: [["Timeservers", "{.timeServers}"]],
  id: "timeservers",
  spec: {
    timeServers: field(1, list(text)),
  },
});

export type TimeServerStatusSpec = SpecOf<typeof TimeServerStatus>;
