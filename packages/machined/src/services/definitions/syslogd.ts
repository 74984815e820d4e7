import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import type { LogStore } from "../../logs/log-store.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { Service } from "../../service.ts";
import { runSyslogd } from "../../syslog/run-syslogd.ts";

/** Socket that syslog(3) writes to. */
const logSocket = "/dev/log";

/** Collects what programs write to syslog, and the kernel's messages, in the log `syslogd`. */
export function syslogdService(machine: {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly logs: LogStore;
  readonly root: string;
}): Service {
  const { linux, clock, logs, root } = machine;
  const log = logs.open("syslogd");
  const main = (signal: AbortSignal): Promise<void> =>
    runSyslogd({ linux, clock, path: `${root}${logSocket}`, write: (line) => log.write(line), signal });
  return {
    id: "syslogd",
    dependsOn: ["machined"],
    runner: () => restartRunner(() => inProcessRunner({ id: "syslogd", main, clock }), { policy: "forever", clock }),
    // It runs in this process: as long as it runs, it takes messages.
    health: { check: () => Promise.resolve() },
  };
}
