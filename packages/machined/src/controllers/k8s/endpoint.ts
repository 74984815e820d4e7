import type { Clock } from "@talos-ts/base";
import { destroyReady, kindOf, shared, weak, type Controller } from "@talos-ts/cosi";
import { kinds, type KubernetesObject } from "@talos-ts/kubernetes";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { Endpoint, KubeletKubeconfig } from "@talos-ts/machinery/resources/k8s";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { compareAddresses, isAddress } from "@talos-ts/base/net";
import { createFollowedObjects } from "./internal/followed-objects.ts";
import { ownAccess } from "./internal/kubernetes-access.ts";

interface EndpointSlice extends KubernetesObject {
  readonly addressType?: string;
  /** `null` while no API server is ready. */
  readonly endpoints?: readonly { readonly addresses?: readonly string[] }[] | null;
}

/** Addresses of the API servers, as Kubernetes itself knows them. */
export function endpointController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return {
    name: "k8s.EndpointController",
    inputs: [
      weak(MachineType, { id: MachineType.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      destroyReady(Endpoint),
    ],
    outputs: [shared(Endpoint)],
    async run(context) {
      using slices = createFollowedObjects<EndpointSlice>(context, machine, "kubernetes endpoint watch error");
      for await (const _event of context.events) {
        // The cluster endpoint rather than KubePrism: this must work before the API server of this machine does.
        const access = await ownAccess(context, machine.root, "adminKubeconfig");
        slices.set(
          access && {
            kind: kinds.endpointSlice,
            namespace: "default",
            labelSelector: "kubernetes.io/service-name=kubernetes",
            access,
          },
        );
        context.startTrackingOutputs();
        const addresses = [...new Set((slices.objects ?? []).flatMap(addressesOf))].toSorted(compareAddresses);
        if (addresses.length > 0) {
          await context.put(Endpoint, Endpoint.ids.apiServer, () => Endpoint.spec({ addresses, hosts: [] }));
        }
        // Without an answer the last one stays: it is needed most when the API is away.
        if (slices.objects !== undefined) await context.cleanupOutputs(kindOf(Endpoint));
        context.resetRestartBackoff();
      }
    },
  };
}

function addressesOf({ endpoints }: EndpointSlice): readonly string[] {
  return (endpoints ?? []).flatMap(({ addresses = [] }) => addresses.filter(isAddress));
}
