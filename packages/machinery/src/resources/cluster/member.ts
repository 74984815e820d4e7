import { defineResource, field, list, omitEmpty, optional, text, type SpecOf } from "../dsl/index.ts";
import { machineType } from "../enums/index.ts";
import { ip } from "../values/index.ts";
import { controlPlane } from "./control-plane.ts";

/** An affiliate that has a node name, by that name. */
export const Member = defineResource({
  type: "Members.cluster.talos.dev",
  namespace: "cluster",
  columns: [
    ["Hostname", "{.hostname}"],
    ["Machine Type", "{.machineType}"],
    ["OS", "{.operatingSystem}"],
    ["Addresses", "{.addresses}"],
  ],
  spec: {
    nodeId: field(1, text),
    addresses: field(2, list(ip)),
    hostname: field(3, text),
    machineType: field(4, machineType),
    operatingSystem: field(5, text),
    controlPlane: omitEmpty(6, optional(controlPlane)),
  },
});

export type MemberSpec = SpecOf<typeof Member>;
