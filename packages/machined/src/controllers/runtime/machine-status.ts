import { exclusive, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { ConfigPersistStatus, MachineType } from "@talos-ts/machinery/resources/config";
import { NodeStatus, Nodename, StaticPodStatus } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { EventBus } from "../../events/event-bus.ts";
import { initialStage, nextStage } from "./internal/machine-stage.ts";
import { unmetConditions } from "./internal/readiness-checks.ts";

/** Publishes what the machine is doing (from its events) and whether it is ready (from everything else). */
export function machineStatusController({ events }: { readonly events: EventBus }): Controller {
  let state = initialStage;
  let announced = false;
  /** Events tell the stage only as a whole story, so they are followed once and over all restarts of the controller. */
  let following: Promise<void> | undefined;
  let failure: unknown;
  let wake = (): void => undefined;

  async function follow(signal: AbortSignal): Promise<void> {
    for await (const event of events.subscribe({ signal, tailEvents: -1 })) {
      const { stage } = state;
      state = nextStage(state, event);
      if (state.stage !== stage) wake();
    }
  }

  const reconciling = reconcileController({
    name: "runtime.MachineStatusController",
    inputs: [
      weak(TimeStatus, { id: TimeStatus.id }),
      weak(NetworkStatus, { id: NetworkStatus.id }),
      weak(Service),
      weak(ConfigPersistStatus, { id: ConfigPersistStatus.id }),
      weak(StaticPodStatus),
      weak(MachineType, { id: MachineType.id }),
      weak(Nodename, { id: Nodename.id }),
      weak(NodeStatus),
    ],
    outputs: [exclusive(MachineStatus)],
    async reconcile(context) {
      if (failure !== undefined) {
        const err = failure;
        failure = undefined;
        following = undefined;
        throw err;
      }
      const { stage } = state;
      const type = (await context.find(MachineType, MachineType.id))?.spec ?? "unknown";
      const unmet = await unmetConditions(context, stage, type);
      const status = { ready: unmet.length === 0, unmetConditions: unmet };
      await context.modify(MachineStatus, MachineStatus.id, () => MachineStatus.spec({ stage, status }));
      if (stage !== "running" || !status.ready || announced) return;
      announced = true;
      context.logger.info("machine is running and ready");
    },
  });

  return {
    ...reconciling,
    async run(context) {
      wake = () => context.queueReconcile();
      following ??= follow(context.signal).catch((err: unknown) => {
        failure = err;
        wake();
      });
      return await reconciling.run(context);
    },
  };
}
