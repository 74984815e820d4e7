import { describeError, isKind, OsError, type Clock } from "@talos-ts/base";
import {
  exclusive,
  reconcileController,
  RequeueAfter,
  weak,
  type Controller,
  type ControllerContext,
} from "@talos-ts/cosi";
import { createKubernetesClient, loadInventory, type KubernetesObject } from "@talos-ts/kubernetes";
import { Manifest, ManifestStatus } from "@talos-ts/machinery/resources/k8s";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { createEtcdMutex, mutexNames, type WithMutex } from "../../etcd/mutex.ts";
import { applyObjects } from "./internal/apply-objects.ts";
import { adminAccess, type NodeAccess } from "./internal/kubernetes-access.ts";

/** Time until another attempt while the API server is not up, in ms. */
const retryMs = 1000;

export interface ManifestApplyOptions {
  readonly clock: Clock;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** @default a lock in the etcd of this machine */
  readonly withMutex?: WithMutex;
}

/**
 * Creates the objects of all manifests in the cluster, each once in the life of the cluster.
 *
 * Control planes take turns, by a lock in etcd: two that read the inventory at once would both create what one of them removes.
 */
export function manifestApplyController(machine: ManifestApplyOptions): Controller {
  const { withMutex = createEtcdMutex(machine) } = machine;
  let waiting = false;

  async function applyAll(
    context: ControllerContext,
    access: NodeAccess,
    objects: readonly KubernetesObject[],
  ): Promise<void> {
    using client = createKubernetesClient({ access: access.access, clock: machine.clock });
    const { signal, logger } = context;
    const inventory = await loadInventory(client, signal);
    let faults: readonly OsError[];
    try {
      faults = await applyObjects({ client, inventory, logger, signal }, objects);
    } finally {
      // What was created is recorded also when something failed after it.
      await inventory.save();
    }
    if (faults.length === 0) return;
    const message = faults.map(describeError).join("; ");
    throw new OsError({ kind: "invalid-argument", code: "k8s/manifest", message, next: faults[0]?.next ?? "" });
  }

  return reconcileController({
    name: "k8s.ManifestApplyController",
    inputs: [weak(KubernetesSecret, { id: KubernetesSecret.id }), weak(Manifest), weak(Service, { id: "etcd" })],
    outputs: [exclusive(ManifestStatus)],
    async reconcile(context) {
      const access = await adminAccess(context, "localhostAdminKubeconfig");
      if (access === undefined) return;
      // Without etcd the API server cannot answer.
      if ((await context.find(Service, "etcd"))?.spec.healthy !== true) return;
      const manifests = (await context.list(Manifest)).filter(({ metadata }) => metadata.phase === "running");
      const objects = manifests.flatMap(({ spec }) => spec as readonly KubernetesObject[]);
      try {
        const apply = (): Promise<void> => applyAll(context, access, objects);
        if (objects.length > 0) await withMutex(mutexNames.manifestApply, context.signal, apply);
      } catch (err) {
        if (!isKind(err, "unavailable") && !isKind(err, "deadline-exceeded")) throw err;
        context.logger[waiting ? "debug" : "info"]("manifests wait for the API server", { error: describeError(err) });
        waiting = true;
        throw new RequeueAfter(retryMs);
      }
      waiting = false;
      const manifestsApplied = manifests.map(({ metadata }) => metadata.id);
      await context.modify(ManifestStatus, ManifestStatus.id, () => ManifestStatus.spec({ manifestsApplied }));
    },
  });
}
