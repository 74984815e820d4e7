import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { paths, userIds } from "@talos-ts/machinery/constants";
import { fileExists } from "../../conditions/file-exists.ts";
import { chooseConsole, virtualTerminals, type ConsoleChoice } from "../../dashboard/choose-console.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { processRunner } from "../../runners/process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { Service } from "../../service.ts";
import { searchPath } from "../environment.ts";
import type { RegisterProcess } from "../process-registrar.ts";

/** Upper bounds of Talos for a program that people look at and nothing depends on: memory, and share of busy processors (200 millicores). */
const limits = { memoryMaxBytes: 128n * 1024n * 1024n, cpuWeight: 8n } as const;
/** Nice value (setpriority(2)). */
const priority = 10;

const env: Readonly<Record<string, string>> = {
  PATH: searchPath,
  TERM: "linux",
  MALLOC_ARENA_MAX: "1",
  NODE_OPTIONS: "--max-old-space-size=48 --v8-pool-size=1",
};

/**
 * Shows the machine on its display: `talosctl dashboard` for this machine alone, as a user of its own without any capability. Virtual
 * terminal 2 is on the display as long as it runs, and the one with the kernel log afterwards.
 */
export function dashboardService(machine: {
  readonly linux: Pick<Linux, "consoles" | "procfs">;
  readonly registerProcess: RegisterProcess;
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly root: string;
}): Service {
  const { consoles } = machine.linux;
  const log = machine.logs.open("dashboard");
  const adopt = machine.registerProcess({
    id: "dashboard",
    cgroup: "/system/dashboard",
    limits,
    oomScoreAdjustment: -400,
  });
  let choice: ConsoleChoice | undefined;
  const chosen = () => (choice !== undefined && "device" in choice ? choice : undefined);
  const process = (terminal: string) =>
    processRunner({
      id: "dashboard",
      args: ["/sbin/dashboard"],
      env: async () => env,
      terminal,
      // The socket of the API belongs to the group of apid.
      user: { uid: userIds.dashboard, gid: userIds.apid },
      priority,
      log,
      adopt,
    });
  return {
    id: "dashboard",
    dependsOn: ["machined"],
    condition: fileExists(paths.machinedSocket, machine),
    async prepare() {
      choice = await chooseConsole(machine.linux);
      if (chosen()?.virtual !== true) return;
      consoles.keepKernelLog(virtualTerminals.kernelLog);
      await consoles.activate(virtualTerminals.dashboard);
    },
    runner() {
      const console = chosen();
      if (console === undefined) return undefined;
      return restartRunner(() => process(console.device), { policy: "forever", clock: machine.clock });
    },
    async finished() {
      if (chosen()?.virtual === true) await consoles.activate(virtualTerminals.kernelLog);
    },
  };
}
