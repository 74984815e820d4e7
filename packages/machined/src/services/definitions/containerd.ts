import { paths } from "@talos-ts/machinery/constants";
import type { Machine } from "../../machine.ts";
import { processRunner } from "../../runners/process.ts";
import { restartRunner } from "../../runners/restart.ts";
import { adoptProcess } from "../adopt.ts";
import { searchPath } from "../environment.ts";
import type { Service } from "../../service.ts";
import { containerdHealth } from "./containerd-health.ts";

/** The containerd of the system, all in memory: apid has to run before there is any disk. */
export function containerdService(machine: Machine): Service {
  const args = [
    "/bin/containerd",
    "--address",
    paths.systemContainerdSocket,
    "--state",
    "/system/run/containerd",
    "--root",
    "/system/var/lib/containerd",
  ];
  const adopt = adoptProcess(machine, { id: "containerd", cgroup: "/system/runtime", oomScoreAdjustment: -999 });
  const log = machine.logs.open("containerd");
  const process = () => processRunner({ id: "containerd", args, env: { PATH: searchPath }, log, adopt });
  return {
    id: "containerd",
    runner: () => restartRunner(process, { policy: "forever" }),
    health: containerdHealth(paths.systemContainerdSocket),
  };
}
