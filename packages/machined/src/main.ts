import { describeError, systemClock } from "@talos-ts/base";
import { keepMemorySmall } from "@talos-ts/host/daemon";
import { createLinux, watchPowerButtons } from "@talos-ts/linux";
import { paths } from "@talos-ts/machinery/constants";
import { createMachine } from "./create-machine.ts";
import { createMachineLogging } from "./logs/machine-logging.ts";
import { kernelLogWriter } from "./logs/kernel-log-writer.ts";
import { detectPlatform } from "./platform/detect.ts";
import { createContainerPower } from "./power/container-power.ts";
import { beginRun } from "./power/last-run.ts";
import { createMachinePower } from "./power/machine-power.ts";
import { prepareMachine } from "./prepare-machine.ts";
import { takeOverKernel } from "./take-over-kernel.ts";

// PID 1 is started as init; lists of processes and sockets show what it is.
process.title = "machined";

const clock = systemClock;
const linux = createLinux();
const platform = await detectPlatform(linux);
const inContainer = platform.mode === "container";
const logging = createMachineLogging(
  inContainer ? { writeConsole: (line) => process.stdout.write(line) } : { writeKernelLog: kernelLogWriter() },
);
const { logger } = logging;
const power = inContainer
  ? await createContainerPower({ linux, clock, logger, record: await beginRun(paths.power, logger) })
  : await createMachinePower({ linux, clock, logger });
const machine = createMachine({ platform, linux, clock, power, logging });

// PID 1 must outlive every defect in it: an error that nobody caught is logged, and the process goes on.
process.on("uncaughtException", (err) => logger.error("uncaught error", { error: err.stack ?? String(err) }));
process.on("unhandledRejection", (err) => logger.error("unhandled rejection", { error: describeError(err) }));
// Node.js would open a debugger on the loopback address, which pods on the network of the machine share.
process.on("SIGUSR1", () => logger.warn("SIGUSR1 received and ignored"));
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => (inContainer ? stop("SIGINT") : reboot("SIGINT")));

function stop(signal: string): void {
  logger.info(`${signal} received, shutting down`);
  run(() => machine.sequencer.run("shutdown", { force: true }, { takeOver: true }));
}

/** The kernel sends SIGINT when somebody presses Ctrl-Alt-Del on the console. */
function reboot(signal: string): void {
  logger.info(`${signal} received, rebooting`);
  run(() => machine.sequencer.run("reboot", { force: true }, { takeOver: true }));
}

function run(work: () => Promise<void>): void {
  work().catch((err: unknown) => logger.error("sequence failed", { error: describeError(err) }));
}

async function boot(): Promise<void> {
  linux.processes.startReaper();
  if (!inContainer) {
    await takeOverKernel({ linux, logger });
    await watchPowerButtons(linux.textFiles, () => stop("power button"));
  }
  await prepareMachine({ linux, logger });
  await machine.start();
  // A machine may stay here for long: without a configuration, or waiting for images, etcd or the kubelet.
  keepMemorySmall(10_000);
  await machine.sequencer.run("initialize");
  await machine.sequencer.run("install");
  await machine.sequencer.run("boot");
  // Controllers still have work for a moment after the last service is up.
  keepMemorySmall(5000);
}

run(boot);
