import { createResource, exclusive, reduceController, type Controller, type ResourceType } from "@talos-ts/cosi";
import {
  isControlPlane,
  parseMachineType,
  type ClusterSection,
  type Config,
  type MachineSection,
} from "@talos-ts/machinery/config";
import { activeConfig, activeConfigInput } from "../../internal/config-resource.ts";

/** A configuration of which it is known that it has both sections. */
export interface ControlPlaneConfig {
  readonly config: Config;
  readonly machine: MachineSection;
  readonly cluster: ClusterSection;
}

export interface ControlPlaneConfigOptions<S> {
  readonly name: string;
  readonly output: ResourceType<S> & { readonly id: string };
  readonly make: (config: ControlPlaneConfig) => S;
}

/** One resource made from the configuration; only control plane machines have it. */
export function controlPlaneConfigController<S>({ name, output, make }: ControlPlaneConfigOptions<S>): Controller {
  return reduceController({
    name,
    inputs: [activeConfigInput],
    outputs: [exclusive(output)],
    async reduce(context) {
      const config = await activeConfig(context);
      const { machine, cluster } = config ?? {};
      if (config === undefined || machine === undefined || cluster === undefined) return [];
      if (!isControlPlane(parseMachineType(machine.type))) return [];
      return [createResource(output, output.id, make({ config, machine, cluster }))];
    },
  });
}
