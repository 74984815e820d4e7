import { describeError, systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { createLinux } from "@talos-ts/linux";
import { releaseMemory } from "@talos-ts/host/daemon";
import { VolumeLifecycle } from "@talos-ts/machinery/resources/block";
import { allControllers } from "./controllers/index.ts";
import { resolveWithSystem } from "./controllers/k8s/static-endpoint.ts";
import { kernelHostname } from "./controllers/network/hostname-spec.ts";
import { createMachine } from "./create-machine.ts";
import { containerPlatform } from "./platform/container.ts";
import { createContainerPower } from "./power/container-power.ts";
import { registerResources } from "./register-resources.ts";
import { publishServiceEvents } from "./services/publish-events.ts";
import { prepareMachine } from "./startup.ts";

const linux = createLinux();
const power = await createContainerPower({ linux, clock: systemClock, log: (message) => machine.logger.warn(message) });
const machine = createMachine({
  platform: containerPlatform({ env: process.env }),
  linux,
  power,
  console: (line) => process.stdout.write(line),
});

// The first process must outlive every mistake made in it: what nobody caught is said, and life goes on.
process.on("uncaughtException", (err) => machine.logger.error("uncaught error", { error: err.stack ?? String(err) }));
process.on("unhandledRejection", (err) => machine.logger.error("unhandled rejection", { error: describeError(err) }));
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));

function stop(signal: string): void {
  machine.logger.info(`${signal} received, shutting down`);
  run(() => machine.sequencer.run("shutdown", { force: true }, { takeOver: true }));
}

function run(work: () => Promise<void>): void {
  work().catch((err: unknown) => machine.logger.error("sequence failed", { error: describeError(err) }));
}

async function boot(): Promise<void> {
  linux.processes.startReaper();
  await prepareMachine(linux, (message) => machine.logger.warn(message));
  await registerResources(machine.state);
  await machine.state.create(createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec()));
  const setHostname = machine.platform.mode === "container" ? undefined : kernelHostname(linux);
  machine.runtime.register(...allControllers({ ...machine, resolveHost: resolveWithSystem, setHostname }));
  machine.runtime.start();
  publishServiceEvents(machine);
  await machine.sequencer.run("initialize");
  await machine.sequencer.run("install");
  await machine.sequencer.run("boot");
  // Controllers still settle for a moment after the last service is up.
  setTimeout(releaseMemory, 5000).unref();
}

run(boot);
