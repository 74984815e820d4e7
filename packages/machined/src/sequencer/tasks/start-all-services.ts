import type { Machine } from "../../machine.ts";
import { loadAndStart, type ServiceId } from "../../services/definitions/index.ts";
import type { Task } from "../sequencer.ts";

const patienceMs = 70 * 60_000;
const reportEveryMs = 15_000;

/** Which services a machine of this type runs once it is configured. */
const byMachineType: Readonly<Record<string, readonly ServiceId[]>> = {
  worker: ["cri"],
  controlplane: ["cri", "trustd"],
  init: ["cri", "trustd"],
};

/** Starts everything and waits until it is up, saying every now and then what is still missing. */
export function startAllServices(machine: Machine): Task {
  return async ({ signal, log }) => {
    const type = machine.config.current()?.machine?.type ?? "worker";
    loadAndStart(machine, ...(byMachineType[type] ?? []));
    const deadline = AbortSignal.timeout(patienceMs);
    const both = AbortSignal.any([signal, deadline]);
    const waiting = machine.services.list();
    const all = Promise.all(waiting.map((unit) => machine.services.upCondition(unit.service.id).wait(both)));
    const report = setInterval(() => {
      const pending = waiting.filter((unit) => !unit.up).map((unit) => `service "${unit.service.id}" to be "up"`);
      log(`waiting for ${pending.join(", ")}`);
    }, reportEveryMs);
    try {
      await all;
    } finally {
      clearInterval(report);
    }
  };
}
