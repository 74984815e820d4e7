import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import type { MachineStage } from "@talos-ts/machinery/resources/enums";
import { NodeCordonedSpec } from "@talos-ts/machinery/resources/k8s";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";

/** True when the node is cordoned in a stage; in the others it stays as it is. */
const cordonedIn: Readonly<Partial<Record<MachineStage, boolean>>> = {
  "shutting down": true,
  upgrading: true,
  resetting: true,
  booting: false,
  running: false,
};

/** Asks for the node to be cordoned while the machine goes down, and no longer once it is back. */
export function nodeCordonedSpecController(): Controller {
  return reduceController({
    name: "k8s.NodeCordonedSpecController",
    inputs: [weak(MachineStatus, { id: MachineStatus.id })],
    outputs: [exclusive(NodeCordonedSpec)],
    async reduce(context) {
      const stage = (await context.find(MachineStatus, MachineStatus.id))?.spec.stage;
      const cordoned = stage === undefined ? undefined : cordonedIn[stage];
      if (cordoned === undefined) return undefined;
      return cordoned ? [createResource(NodeCordonedSpec, NodeCordonedSpec.id, NodeCordonedSpec.spec({}))] : [];
    },
  });
}
