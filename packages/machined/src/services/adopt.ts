import { createResource, pointerTo } from "@talos-ts/cosi";
import { ServicePID } from "@talos-ts/machinery/resources";
import type { Machine } from "../machine.ts";

export interface AdoptOptions {
  readonly id: string;
  /** Control group of the process; containers bring their own. */
  readonly cgroup?: string;
  /** −1000 to 1000; lower is killed later. */
  readonly oomScoreAdjustment?: number;
}

/** Hosts that refuse negative scores refuse all of them: saying so once is enough. */
let refusalLogged = false;

/**
 * Makes a fresh process one of ours: its control group, its OOM score, and a `ServicePID` by which the API knows who calls.
 * Disposing takes the registration back.
 */
export function adoptProcess(machine: Machine, options: AdoptOptions): (pid: number) => Disposable {
  return (pid) => {
    const done = settle(machine, options, pid).catch((err: unknown) =>
      machine.logger.warn("service process set-up failed", { service: options.id, error: String(err) }),
    );
    return {
      [Symbol.dispose]: () => {
        void done.then(() => machine.state.destroy(pointerTo(ServicePID, options.id)).catch(() => undefined));
      },
    };
  };
}

async function settle(machine: Machine, options: AdoptOptions, pid: number): Promise<void> {
  const { linux, state, logger } = machine;
  // First of all, as what the process starts before it is moved stays behind.
  if (options.cgroup !== undefined) {
    const cgroups = await linux.cgroups();
    await cgroups.create(options.cgroup);
    await cgroups.attach(options.cgroup, pid);
  }
  await state.destroy(pointerTo(ServicePID, options.id)).catch(() => undefined);
  await state.create(createResource(ServicePID, options.id, ServicePID.spec({ pid })));
  if (options.oomScoreAdjustment === undefined) return;
  const granted = await linux.processes.setOomScoreAdjustment(pid, options.oomScoreAdjustment);
  if (granted.applied || refusalLogged) return;
  refusalLogged = true;
  logger.warn("this host refuses to protect services from the OOM killer", { error: granted.error.message });
}
