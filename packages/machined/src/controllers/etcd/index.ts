import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { etcdAdvertisedPeerController } from "./advertised-peer.ts";
import { etcdConfigController } from "./config.ts";
import { etcdMemberController } from "./member.ts";
import { etcdPKIController } from "./pki.ts";
import { etcdSpecController } from "./spec.ts";

/** Controllers from the etcd section of the configuration to the local member. */
export const etcdControllers: readonly ControllerRow[] = [
  effect(etcdAdvertisedPeerController),
  pure(etcdConfigController),
  effect(etcdMemberController),
  effect(etcdPKIController),
  pure(etcdSpecController),
];
