import type { Clock } from "@talos-ts/base";
import { makeFolder, runTool } from "@talos-ts/host";
import type { LogStore } from "../../logs/log-store.ts";
import { processRunner } from "../../runners/process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { Service } from "../../service.ts";
import { searchPath } from "../environment.ts";
import type { HealthCheck } from "../health.ts";
import type { RegisterProcess } from "../process-registrar.ts";

const daemon = "/usr/lib/systemd/systemd-udevd";
const settleSeconds = 50;

/** Runs `udevadm` with these arguments. */
export type RunUdevadm = (args: readonly string[], signal: AbortSignal) => Promise<void>;

/** Runs the program of the image. */
export const udevadm: RunUdevadm = async (args, signal) => {
  await runTool("/usr/bin/udevadm", args, { signal });
};

/** Announces every device again (coldplug), so that rules see those that were there before udevd, and waits for the end. */
export async function announceDevices(run: RunUdevadm, signal: AbortSignal): Promise<void> {
  await trigger(run, signal);
  await settle(run, signal);
}

async function trigger(run: RunUdevadm, signal: AbortSignal): Promise<void> {
  await run(["trigger", "--type=subsystems", "--action=add"], signal);
  await run(["trigger", "--type=devices", "--action=add"], signal);
}

async function settle(run: RunUdevadm, signal: AbortSignal): Promise<void> {
  await run(["settle", `--timeout=${String(settleSeconds)}`], signal);
}

/**
 * Manages devices: names, permissions and links of their nodes by rules, and the kernel modules they ask for. It is systemd's udevd,
 * as in Talos; not in containers, where devices are the host's.
 */
export function udevdService(
  machine: {
    readonly registerProcess: RegisterProcess;
    readonly logs: LogStore;
    readonly clock: Clock;
    readonly root: string;
  },
  run: RunUdevadm = udevadm,
): Service {
  const log = machine.logs.open("udevd");
  const adopt = machine.registerProcess({ id: "udevd", cgroup: "/system/udevd" });
  const args = [daemon, "--resolve-names=never"];
  const process = () => processRunner({ id: "udevd", args, env: async () => ({ PATH: searchPath }), log, adopt });
  return {
    id: "udevd",
    prepare: () => makeFolder(`${machine.root}/run/udev`, 0o755),
    runner: () => restartRunner(process, { policy: "forever", clock: machine.clock }),
    health: udevdHealth(run),
  };
}

/** The first check announces all devices; from then on it is enough that the queue of events becomes empty. */
function udevdHealth(run: RunUdevadm): HealthCheck {
  let announced = false;
  return {
    settings: { initialDelayMs: 100, periodMs: 60_000, timeoutMs: 55_000 },
    async check(signal) {
      if (!announced) await trigger(run, signal);
      // A slow machine may not be done with all devices when the check ends; announcing them again would begin anew.
      announced = true;
      await settle(run, signal);
    },
  };
}
