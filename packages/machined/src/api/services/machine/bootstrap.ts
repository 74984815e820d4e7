import { OsError, within } from "@talos-ts/base";
import { timeSynced } from "../../../conditions/machine-conditions.ts";
import type { Condition } from "../../../conditions/condition.ts";
import { bootstrapEtcd } from "../../../etcd/bootstrap-etcd.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { EtcdServiceDependencies } from "../../../etcd/dependencies.ts";
import type { ServiceManager } from "../../../services/service-manager.ts";
import type { MachineMethod } from "./method.ts";

/** Describes what bootstrapping needs of the machine. */
export interface BootstrapDependencies extends EtcdServiceDependencies {
  readonly services: ServiceManager;
}

/** Longest time that each requirement may take to be met, milliseconds. A CRI that the boot has begun to start comes up in its own time. */
const criTimeoutMs = { known: 30_000, unknown: 1000 };
const timeSyncTimeoutMs = 5000;

/** Starts etcd for the first time in the life of a cluster, empty or with an uploaded snapshot. */
export const bootstrap = (machine: BootstrapDependencies): MachineMethod<"bootstrap"> => {
  /** Calls at the same time follow one another; the second one finds what the first has done. */
  let last: Promise<unknown> = Promise.resolve();
  return async ({ recoverEtcd, recoverSkipHashCheck }) => {
    machine.logger.info("bootstrap request received");
    if (!(await holds(machine, machine.services.upCondition("cri"), criTimeout(machine)))) {
      throw refused("bootstrap is not available yet", "talosctl service cri");
    }
    const config = await requireControlPlane(machine, "bootstrap");
    if (config.cluster?.etcd?.ca === undefined) {
      throw new OsError({
        kind: "invalid-argument",
        code: "etcd/not-configured",
        message: "etcd is not configured, bootstrap is not possible",
        next: "talosctl get machineconfig -o yaml",
      });
    }
    if (!(await holds(machine, timeSynced(machine.state), timeSyncTimeoutMs))) {
      throw refused("time is not in sync yet", "talosctl time");
    }
    const run = last.then(() =>
      bootstrapEtcd(machine, recoverEtcd ? { recover: { skipHashCheck: recoverSkipHashCheck } } : {}),
    );
    last = run.catch(() => undefined);
    await run;
    return { messages: [{}] };
  };
};

function criTimeout({ services }: BootstrapDependencies): number {
  return services.list().some(({ service }) => service.id === "cri") ? criTimeoutMs.known : criTimeoutMs.unknown;
}

/** Says whether a condition comes true in time. */
async function holds(
  { clock }: Pick<BootstrapDependencies, "clock">,
  condition: Condition,
  timeoutMs: number,
): Promise<boolean> {
  const abort = new AbortController();
  const met = condition.wait(abort.signal).then(
    () => true,
    () => false,
  );
  const result = await within(met, timeoutMs, clock);
  abort.abort();
  return !result.late && result.value;
}

function refused(message: string, next: string): OsError {
  return new OsError({ kind: "failed-precondition", code: "etcd/bootstrap-too-early", message, next });
}
