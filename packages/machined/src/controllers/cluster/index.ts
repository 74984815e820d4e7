import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { nodeIdentityController } from "./node-identity.ts";

/** Controllers that know who is in the cluster. */
export function clusterControllers(machine: Machine): readonly Controller[] {
  return [nodeIdentityController(machine)];
}
