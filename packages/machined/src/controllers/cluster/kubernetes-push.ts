import { isKind, OsError, type Clock } from "@talos-ts/base";
import { reconcileController, RequeueAfter, weak, type Controller } from "@talos-ts/cosi";
import { createKubernetesClient, kinds } from "@talos-ts/kubernetes";
import { Affiliate, DiscoveryConfig, Identity } from "@talos-ts/machinery/resources/cluster";
import { KubeletKubeconfig, Nodename } from "@talos-ts/machinery/resources/k8s";
import { kubeletAccess } from "../k8s/internal/kubernetes-access.ts";
import { annotationsOf } from "./internal/affiliate-annotations.ts";

/** Time until another attempt when the node is not registered or the API does not answer, in ms. */
const retryMs = 5000;
const passing = ["unavailable", "deadline-exceeded", "not-found", "permission-denied", "unauthenticated"] as const;

/** Writes what this machine tells the others to the annotations of its Kubernetes node, if that registry is enabled. */
export function kubernetesPushController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return reconcileController({
    name: "cluster.KubernetesPushController",
    inputs: [
      weak(DiscoveryConfig, { id: DiscoveryConfig.id }),
      weak(Identity, { id: Identity.id }),
      weak(Affiliate),
      weak(Nodename, { id: Nodename.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
    ],
    outputs: [],
    async reconcile(context) {
      const config = (await context.find(DiscoveryConfig, DiscoveryConfig.id))?.spec;
      if (config?.registryKubernetesEnabled !== true) return;
      const identity = await context.find(Identity, Identity.id);
      const nodename = (await context.find(Nodename, Nodename.id))?.spec;
      const access = await kubeletAccess(context, machine.root);
      if (identity === undefined || nodename === undefined || access === undefined) return;
      const affiliate = await context.find(Affiliate, identity.spec.nodeId);
      if (affiliate === undefined) return;
      using client = createKubernetesClient({ access: access.access, clock: machine.clock });
      const patch = { metadata: { annotations: annotationsOf(affiliate.spec) } };
      try {
        await client.patch({ ...kinds.node, name: nodename.nodename }, patch, {
          type: "merge",
          signal: context.signal,
        });
      } catch (err) {
        if (!passing.some((kind) => isKind(err, kind))) throw err;
        context.logger.debug("node cannot be annotated yet", { error: OsError.from(err).message });
        throw new RequeueAfter(retryMs);
      }
    },
  });
}
