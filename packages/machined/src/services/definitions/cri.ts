import type { State } from "@talos-ts/cosi";
import { paths, type PlatformMode } from "@talos-ts/machinery/constants";
import { overlayPaths } from "../../volumes/overlay-paths.ts";
import { allOf } from "../../conditions/condition.ts";
import { criConfigured, networkReady } from "../../conditions/machine-conditions.ts";
import type { ConfigStore } from "../../config-store.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { processRunner } from "../../runners/process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { RegisterProcess } from "../process-registrar.ts";
import { writeCriConfig } from "./cri-config.ts";
import { configuredEnvironment, searchPath } from "../environment.ts";
import type { Service } from "../../service.ts";
import { containerdHealth } from "./containerd-health.ts";

const configPath = "/system/etc/cri/containerd.toml";

/** The containerd of Kubernetes: images and pods on disk, with the CRI plugin. */
export function criService(machine: {
  readonly registerProcess: RegisterProcess;
  readonly state: State;
  readonly logs: LogStore;
  readonly config: Pick<ConfigStore, "current">;
  readonly platform: { readonly mode: PlatformMode };
  readonly root: string;
}): Service {
  const args = ["/bin/containerd", "--address", paths.criContainerdSocket, "--config", configPath];
  const adopt = machine.registerProcess({ id: "cri", cgroup: "/podruntime/runtime", oomScoreAdjustment: -500 });
  const log = machine.logs.open("cri");
  const env = async () => ({ ...(await configuredEnvironment(machine.config)), PATH: searchPath });
  const process = () => processRunner({ id: "cri", args, env, log, adopt });
  return {
    id: "cri",
    condition: allOf(networkReady(machine.state), criConfigured(machine.state)),
    volumes: [
      "/var/lib",
      "/var/lib/cni",
      "/var/lib/containerd",
      "/var/run",
      "/var/run/lock",
      // In a container whoever made it shows folders of the host there.
      ...(machine.platform.mode === "container" ? [] : overlayPaths),
    ],
    prepare: () => writeCriConfig(`${machine.root}${configPath}`),
    runner: () => restartRunner(process, { policy: "forever" }),
    health: containerdHealth(paths.criContainerdSocket),
  };
}
