import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { etcdAdvertisedPeerController } from "./advertised-peer.ts";
import { etcdConfigController } from "./config.ts";
import { etcdMemberController } from "./member.ts";
import { etcdPKIController } from "./pki.ts";
import { etcdSpecController } from "./spec.ts";

/** Controllers from the etcd section of the configuration to the local member. */
export function etcdControllers(machine: Machine): readonly Controller[] {
  return [
    etcdAdvertisedPeerController(machine),
    etcdConfigController(),
    etcdMemberController(machine),
    etcdPKIController(machine),
    etcdSpecController(),
  ];
}
