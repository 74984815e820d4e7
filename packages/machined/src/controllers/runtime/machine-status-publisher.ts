import { equalSpecs, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { machineStage } from "@talos-ts/machinery/resources/enums";
import { MachineStatus, type MachineStatusSpec } from "@talos-ts/machinery/resources/runtime";
import { MachineStatusEventSchema } from "@talos-ts/proto/machine/event";
import type { EventBus } from "../../events/event-bus.ts";

/** Tells those who follow events when the status of the machine changes. */
export function machineStatusPublisherController({ events }: { readonly events: EventBus }): Controller {
  let told: MachineStatusSpec | undefined;
  return reconcileController({
    name: "runtime.MachineStatusPublisherController",
    inputs: [weak(MachineStatus, { id: MachineStatus.id })],
    outputs: [],
    async reconcile(context) {
      const status = (await context.find(MachineStatus, MachineStatus.id))?.spec;
      if (status === undefined || (told !== undefined && equalSpecs(told, status))) return;
      told = status;
      const { ready, unmetConditions } = status.status;
      events.publish(MachineStatusEventSchema, {
        stage: machineStage.toNumber(status.stage),
        status: { ready, unmetConditions: unmetConditions.map(({ name, reason }) => ({ name, reason })) },
      });
    },
  });
}
