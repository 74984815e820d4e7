import type { Clock } from "@talos-ts/base";
import { reconcileController, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { KubeletSpec } from "@talos-ts/machinery/resources/k8s";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import type { ServiceManager } from "../../services/service-manager.ts";
import { updateKubeletKubeconfig, writeKubeletFiles } from "./internal/kubelet-files.ts";
import { removeStaleState } from "./internal/kubelet-state.ts";

const kubelet = "kubelet";
const machineId = "machine-id";

export interface KubeletServiceOptions {
  readonly services: Pick<ServiceManager, "start" | "stop" | "loaded">;
  readonly clock: Clock;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** Writes the files of the kubelet and runs its service; what changes the files restarts it. */
export function kubeletServiceController({ services, clock, root }: KubeletServiceOptions): Controller {
  let applied: string | undefined;
  /** The boot sequence makes the service known once volumes can be mounted. */
  let service: "unknown" | "awaited" | "known" = "unknown";

  /** Reports whether the service can be started; if not, the controller is woken when it can. */
  function isKnown({ signal, queueReconcile }: Pick<ControllerContext, "signal" | "queueReconcile">): boolean {
    if (service !== "unknown") return service === "known";
    service = "awaited";
    services.loaded(kubelet, signal).then(
      () => {
        service = "known";
        queueReconcile();
      },
      () => {
        service = "unknown";
      },
    );
    return false;
  }

  return reconcileController({
    name: "k8s.KubeletServiceController",
    inputs: [
      weak(EtcFileStatus, { id: machineId }),
      weak(KubeletSpec, { id: KubeletSpec.id }),
      weak(KubeletSecret, { id: KubeletSecret.id }),
    ],
    outputs: [],
    async reconcile(context) {
      const { logger } = context;
      const spec = await context.find(KubeletSpec, KubeletSpec.id);
      const secret = await context.find(KubeletSecret, KubeletSecret.id);
      // The kubelet reports the id of the machine, so it must have one.
      const identified = (await context.find(EtcFileStatus, machineId)) !== undefined;
      if (spec === undefined || secret === undefined || !identified) return;
      const wanted = `${String(spec.metadata.version)}/${String(secret.metadata.version)}`;
      if (applied === wanted || !isKnown(context)) return;
      await writeKubeletFiles(root, spec.spec, secret.spec);
      await services.stop(kubelet);
      await removeStaleState({ root, spec: spec.spec, secret: secret.spec, now: new Date(clock.now()), logger });
      const problem = await updateKubeletKubeconfig(root, secret.spec);
      if (problem !== undefined) logger.error(problem);
      services.start(kubelet);
      applied = wanted;
    },
  });
}
