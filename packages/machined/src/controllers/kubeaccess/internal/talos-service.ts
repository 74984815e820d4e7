import type { KubernetesObject } from "@talos-ts/kubernetes";
import { apidPort } from "@talos-ts/machinery/constants";
import { isIPv6 } from "@talos-ts/base/net";

/** The Kubernetes service through which pods reach the machine API. */
export const talosService = { name: "talos", namespace: "default" } as const;

const labels = { provider: "talos.dev", component: "apid" } as const;
const port = { name: "apid", port: apidPort, protocol: "TCP" } as const;

/** The service itself. It has no selector: the machines write its endpoints. */
export const serviceObject: KubernetesObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { ...talosService, labels },
  spec: { ports: [{ ...port, targetPort: apidPort }] },
};

export interface EndpointSliceObject extends KubernetesObject {
  readonly addressType: string;
  readonly endpoints?: readonly { readonly addresses: readonly string[] }[] | null;
  readonly ports?: unknown;
}

/** Families of addresses: each has an endpoint slice of its own. */
const families = [
  { addressType: "IPv4", matches: (address: string) => !isIPv6(address) },
  { addressType: "IPv6", matches: isIPv6 },
] as const;

/** The endpoint slice of each family, without endpoints where no control plane has such an address. */
export function endpointSlices(addresses: readonly string[]): readonly EndpointSliceObject[] {
  return families.map(({ addressType, matches }) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `${talosService.name}-${addressType.toLowerCase()}`,
      namespace: talosService.namespace,
      labels: { "kubernetes.io/service-name": talosService.name, ...labels },
    },
    addressType,
    ports: [port],
    endpoints: [...new Set(addresses)].filter(matches).map((address) => ({
      addresses: [address],
      conditions: { ready: true, serving: true, terminating: false },
    })),
  }));
}
