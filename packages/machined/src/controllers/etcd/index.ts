import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { etcdAdvertisedPeerController } from "./advertised-peer.ts";
import { etcdConfigController } from "./config.ts";
import { etcdDefragmentController } from "./defragment.ts";
import { etcdLearnerController } from "./learner.ts";
import { etcdLearnerEvictionController } from "./learner-eviction.ts";
import { etcdMemberController } from "./member.ts";
import { etcdPKIController } from "./pki.ts";
import { etcdSpecController } from "./spec.ts";

/** Controllers from the etcd section of the configuration to the local member. */
export const etcdControllers: readonly ControllerRow[] = [
  effect(etcdAdvertisedPeerController),
  pure(etcdConfigController),
  effect(etcdDefragmentController),
  effect(etcdLearnerController),
  effect(etcdLearnerEvictionController),
  effect(etcdMemberController),
  effect(etcdPKIController),
  pure(etcdSpecController),
];
