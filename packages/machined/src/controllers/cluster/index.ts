import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { affiliateMergeController } from "./affiliate-merge.ts";
import { configController } from "./config.ts";
import { discoveryServiceController } from "./discovery-service.ts";
import { endpointController } from "./endpoint.ts";
import { infoController } from "./info.ts";
import { localAffiliateController } from "./local-affiliate.ts";
import { memberController } from "./member.ts";
import { nodeIdentityController } from "./node-identity.ts";

/** Controllers that know who is in the cluster. */
export function clusterControllers(machine: Machine): readonly Controller[] {
  return [
    affiliateMergeController(),
    configController(),
    discoveryServiceController(machine),
    endpointController(),
    infoController(),
    localAffiliateController(),
    memberController(),
    nodeIdentityController(machine),
  ];
}
