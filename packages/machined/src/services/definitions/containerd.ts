import { paths } from "@talos-ts/machinery/constants";
import type { ConfigStore } from "../../config-store.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { processRunner } from "../../runners/process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { RegisterProcess } from "../process-registrar.ts";
import { configuredEnvironment, searchPath } from "../environment.ts";
import type { Service } from "../../service.ts";
import { containerdHealth } from "./containerd-health.ts";

/** The containerd of the system, all in memory: apid has to run before there is any disk. */
export function containerdService(machine: {
  readonly registerProcess: RegisterProcess;
  readonly logs: LogStore;
  readonly config: Pick<ConfigStore, "current">;
}): Service {
  const args = [
    "/bin/containerd",
    "--address",
    paths.systemContainerdSocket,
    "--state",
    "/system/run/containerd",
    "--root",
    "/system/var/lib/containerd",
  ];
  const adopt = machine.registerProcess({ id: "containerd", cgroup: "/system/runtime", oomScoreAdjustment: -999 });
  const log = machine.logs.open("containerd");
  const env = async () => ({ ...(await configuredEnvironment(machine.config)), PATH: searchPath });
  const process = () => processRunner({ id: "containerd", args, env, log, adopt });
  return {
    id: "containerd",
    runner: () => restartRunner(process, { policy: "forever" }),
    health: containerdHealth(paths.systemContainerdSocket),
  };
}
