import { defineResource, field, int32, text, type SpecOf } from "../dsl/index.ts";

/** Process and mount namespace of a service; tells who is at the other end of a socket. */
export const ServicePID = defineResource({
  type: "ServicePIDs.runtime.talos.dev",
  namespace: "runtime",
  columns: [["PID", "{.pid}"]],
  spec: {
    pid: field(1, int32),
    mountNamespace: field(2, text),
  },
});

export type ServicePIDSpec = SpecOf<typeof ServicePID>;
