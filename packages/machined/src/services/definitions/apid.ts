import type { State } from "@talos-ts/cosi";
import { dirname } from "node:path";
import { apidPort, paths, userIds, type PlatformMode } from "@talos-ts/machinery/constants";
import { apidReady } from "../../conditions/machine-conditions.ts";
import { daemonHealth } from "./daemon-health.ts";
import type { Service } from "../../service.ts";
import { daemonRunner, type DaemonDependencies } from "./daemon.ts";

/** The gateway: the only way into the machine from outside. */
export function apidService(
  machine: DaemonDependencies & { readonly state: State; readonly platform: { readonly mode: PlatformMode } },
): Service {
  const socketDirectories = [dirname(paths.machinedSocket), dirname(paths.apidRuntimeSocket)];
  return {
    id: "apid",
    dependsOn: ["containerd"],
    condition: apidReady(machine.state),
    runner: () => daemonRunner(machine, { id: "apid", uid: userIds.apid, socketDirectories }),
    health: daemonHealth(apidPort, paths.apidHealthSocket, machine.platform.mode),
  };
}
