import { describeError } from "@talos-ts/base";
import { createResource, pointerTo, type Logger, type State } from "@talos-ts/cosi";
import type { CgroupLimits, Linux } from "@talos-ts/linux";
import { ServicePID } from "@talos-ts/machinery/resources";

export interface ProcessOptions {
  /** Id of the service. */
  readonly id: string;
  /** Control group of the process; containers bring their own. */
  readonly cgroup?: string;
  /** Limits of that group. @default none */
  readonly limits?: CgroupLimits;
  /** −1000 to 1000; lower is killed later. See proc_pid_oom_score_adj(5). */
  readonly oomScoreAdjustment?: number;
}

/**
 * Registers a started process as that of a service: control group, OOM score, and a `ServicePID` by which the API identifies
 * callers. Disposing removes the registration.
 */
export type RegisterProcess = (options: ProcessOptions) => (pid: number) => Disposable;

export interface ProcessRegistrarOptions {
  readonly linux: Pick<Linux, "cgroups" | "processes">;
  readonly state: State;
  readonly logger: Logger;
}

/** Creates the registrar of a machine's service processes. */
export function createProcessRegistrar({ linux, state, logger }: ProcessRegistrarOptions): RegisterProcess {
  /** A host that refuses one negative score refuses all of them: one warning is enough. */
  let refusalLogged = false;

  async function register({ id, cgroup, limits, oomScoreAdjustment }: ProcessOptions, pid: number): Promise<void> {
    // First of all, as children started before the move stay in the old group.
    if (cgroup !== undefined) {
      const cgroups = await linux.cgroups();
      await cgroups.create(cgroup);
      await cgroups.attach(cgroup, pid);
      if (limits !== undefined) await cgroups.setLimits(cgroup, limits);
    }
    await state.destroy(pointerTo(ServicePID, id)).catch(() => undefined);
    await state.create(createResource(ServicePID, id, ServicePID.spec({ pid })));
    if (oomScoreAdjustment === undefined) return;
    const granted = await linux.processes.setOomScoreAdjustment(pid, oomScoreAdjustment);
    if (granted.applied || refusalLogged) return;
    refusalLogged = true;
    logger.warn("the host refuses negative OOM scores, services are not protected", { error: granted.error.message });
  }

  return (options) => (pid) => {
    const done = register(options, pid).catch((err: unknown) =>
      logger.warn("cannot register the process of a service", { service: options.id, error: describeError(err) }),
    );
    return {
      [Symbol.dispose]: () => {
        void done.then(() => state.destroy(pointerTo(ServicePID, options.id)).catch(() => undefined));
      },
    };
  };
}
