import { isDeepStrictEqual } from "node:util";
import { describeError, isKind, type Clock } from "@talos-ts/base";
import { reconcileController, RequeueAfter, weak, type Controller } from "@talos-ts/cosi";
import {
  createKubernetesClient,
  kinds,
  refOf,
  type KubernetesClient,
  type KubernetesObject,
} from "@talos-ts/kubernetes";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { adminAccess } from "../k8s/internal/kubernetes-access.ts";
import { endpointSlices, serviceObject, talosService, type EndpointSliceObject } from "./internal/talos-service.ts";

/** Time until another attempt while the API server does not answer or another control plane wrote first, in ms. */
const retryMs = 2000;
const passing = ["unavailable", "deadline-exceeded", "aborted", "already-exists"] as const;

/** Keeps the service `talos` in namespace `default`, through which pods reach the API of the control planes. */
export function talosEndpointController(machine: { readonly clock: Clock }): Controller {
  return reconcileController({
    name: "kubeaccess.EndpointController",
    inputs: [
      weak(KubernetesAccessConfig, { id: KubernetesAccessConfig.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      weak(Endpoint, { id: Endpoint.ids.apiServer }),
    ],
    outputs: [],
    async reconcile(context) {
      const { logger, signal } = context;
      const config = await context.find(KubernetesAccessConfig, KubernetesAccessConfig.id);
      if (config?.spec.enabled !== true) return;
      const addresses = (await context.find(Endpoint, Endpoint.ids.apiServer))?.spec.addresses ?? [];
      if (addresses.length === 0) return;
      const access = await adminAccess(context, "localhostAdminKubeconfig");
      if (access === undefined) return;
      using client = createKubernetesClient({ access: access.access, clock: machine.clock });
      try {
        // First the service: Kubernetes removes endpoints that have none.
        if ((await find(client, serviceObject, signal)) === undefined) await client.create(serviceObject, { signal });
        for (const slice of endpointSlices(addresses)) {
          if (await writeSlice(client, slice, signal)) {
            logger.info("updated Talos API endpoint slices in Kubernetes", { endpoints: addresses });
          }
        }
        await removeLegacyEndpoints(client, signal);
      } catch (err) {
        if (!passing.some((kind) => isKind(err, kind))) throw err;
        logger.debug("Talos API endpoints wait for the API server", { error: describeError(err) });
        throw new RequeueAfter(retryMs);
      }
    },
  });
}

async function find<T extends KubernetesObject>(
  client: KubernetesClient,
  object: T,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await client.get<T>(refOf(object), { signal });
  } catch (err) {
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}

/** Brings one slice in line; a slice without endpoints is removed. Resolves to whether something was written. */
async function writeSlice(client: KubernetesClient, slice: EndpointSliceObject, signal: AbortSignal): Promise<boolean> {
  const present = await find(client, slice, signal);
  if (slice.endpoints?.length === 0) {
    if (present !== undefined) await client.delete(refOf(slice), { signal });
    return present !== undefined;
  }
  if (present === undefined) {
    await client.create(slice, { signal });
    return true;
  }
  const { endpoints, ports } = slice;
  if (isDeepStrictEqual([present.endpoints, present.ports], [endpoints, ports])) return false;
  // Has the resource version that was read, so that a change in between is a conflict.
  await client.update({ ...slice, metadata: present.metadata }, { signal });
  return true;
}

/** Removes the object of the retired kind, which earlier versions of Talos wrote: Kubernetes would mirror it into a slice. */
async function removeLegacyEndpoints(client: KubernetesClient, signal: AbortSignal): Promise<void> {
  try {
    await client.delete({ ...kinds.endpoints, ...talosService }, { signal });
  } catch (err) {
    if (!isKind(err, "not-found")) throw err;
  }
}
