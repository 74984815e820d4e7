import type { State } from "@talos-ts/cosi";
import { dirname } from "node:path";
import { paths, trustdPort, userIds, type PlatformMode } from "@talos-ts/machinery/constants";
import { allOf } from "../../conditions/condition.ts";
import { networkReady, timeSynced } from "../../conditions/machine-conditions.ts";
import { daemonHealth } from "./daemon-health.ts";
import type { Service } from "../../service.ts";
import { daemonRunner, type DaemonDependencies } from "./daemon.ts";

/** The certificate authority for nodes that join. */
export function trustdService(
  machine: DaemonDependencies & { readonly state: State; readonly platform: { readonly mode: PlatformMode } },
): Service {
  const socketDirectories = [dirname(paths.trustdRuntimeSocket)];
  return {
    id: "trustd",
    dependsOn: ["containerd"],
    condition: allOf(timeSynced(machine.state), networkReady(machine.state)),
    runner: () => daemonRunner(machine, { id: "trustd", uid: userIds.trustd, socketDirectories }),
    health: daemonHealth(trustdPort, paths.trustdHealthSocket, machine.platform.mode),
  };
}
