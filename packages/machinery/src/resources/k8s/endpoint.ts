import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { ip } from "../values/index.ts";

/** Addresses of the control plane, one resource for each way of learning them. */
export const Endpoint = defineResource({
  type: "Endpoints.kubernetes.talos.dev",
  namespace: "controlplane",
  columns: [
    ["Addresses", "{.addresses}"],
    ["Hosts", "{.hosts}"],
  ],
  ids: { apiServer: "kube-apiserver", discovered: "discovery", controlPlane: "controlplane" },
  spec: {
    addresses: field(1, list(ip)),
    hosts: field(2, list(text)),
  },
});

export type EndpointSpec = SpecOf<typeof Endpoint>;
