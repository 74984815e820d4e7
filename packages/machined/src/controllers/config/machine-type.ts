import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { parseMachineType } from "@talos-ts/machinery/config";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes what the machine is in its cluster; `unknown` while it has no configuration that says so. */
export function machineTypeController(): Controller {
  return reduceController({
    name: "config.MachineTypeController",
    inputs: [activeConfigInput],
    outputs: [exclusive(MachineType)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      const type = machine === undefined ? "unknown" : parseMachineType(machine.type);
      return [createResource(MachineType, MachineType.id, type)];
    },
  });
}
