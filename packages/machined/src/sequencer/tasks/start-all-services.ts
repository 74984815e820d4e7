import { timeLimit, type Clock } from "@talos-ts/base";
import type { ConfigStore } from "../../config-store.ts";
import type { Task } from "../../sequence.ts";
import type { ServiceManager } from "../../services/service-manager.ts";
import type { StartServices } from "../../services/start-services.ts";
import { servicesOfMachine } from "../../services/services-of-machine.ts";

const timeoutMs = 70 * 60_000;
const reportEveryMs = 15_000;

export interface StartAllServicesOptions {
  readonly services: ServiceManager;
  readonly config: ConfigStore;
  readonly clock: Clock;
  readonly startServices: StartServices;
}

/** Starts the services of the machine and waits until all are up; logs what is still missing every 15 s. */
export function startAllServices({ services, config, clock, startServices }: StartAllServicesOptions): Task {
  return async ({ signal, log, sequencer }) => {
    startServices(sequencer, ...servicesOfMachine((await config.current())?.machine?.type));
    const units = services.list();
    using limit = timeLimit(timeoutMs, { clock, signal });
    const done = new AbortController();
    const reporting = report(AbortSignal.any([limit.signal, done.signal]));
    try {
      await Promise.all(units.map((unit) => services.upCondition(unit.service.id).wait(limit.signal)));
    } finally {
      done.abort();
      await reporting;
    }

    async function report(until: AbortSignal): Promise<void> {
      for (;;) {
        try {
          await clock.sleep(reportEveryMs, until);
        } catch {
          return;
        }
        const pending = units.filter((unit) => !unit.up).map((unit) => `service "${unit.service.id}" to be "up"`);
        log(`waiting for ${pending.join(", ")}`);
      }
    }
  };
}
