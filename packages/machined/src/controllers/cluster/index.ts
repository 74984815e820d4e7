import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { affiliateMergeController } from "./affiliate-merge.ts";
import { clusterInfoController } from "./cluster-info.ts";
import { discoveredEndpointController } from "./discovered-endpoint.ts";
import { discoveryConfigController } from "./discovery-config.ts";
import { discoveryServiceController } from "./discovery-service.ts";
import { kubernetesPullController } from "./kubernetes-pull.ts";
import { kubernetesPushController } from "./kubernetes-push.ts";
import { localAffiliateController } from "./local-affiliate.ts";
import { memberController } from "./member.ts";
import { nodeIdentityController } from "./node-identity.ts";

/** Controllers of the cluster's members and of this node's identity. */
export const clusterControllers: readonly ControllerRow[] = [
  pure(affiliateMergeController),
  pure(clusterInfoController),
  pure(discoveredEndpointController),
  pure(discoveryConfigController),
  effect(discoveryServiceController),
  effect(kubernetesPullController),
  effect(kubernetesPushController),
  pure(localAffiliateController),
  pure(memberController),
  effect(nodeIdentityController),
];
