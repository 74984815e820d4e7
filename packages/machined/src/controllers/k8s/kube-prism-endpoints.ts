import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { defaultControlPlanePort } from "@talos-ts/machinery/constants";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { KubePrismEndpoint, type KubePrismEndpointSpec } from "@talos-ts/machinery/resources/k8s";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const defaultPorts: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** Collects the addresses of all API servers: cluster endpoint, the server of this machine, control plane members. */
export function kubePrismEndpointsController(): Controller {
  return reduceController({
    name: "k8s.KubePrismEndpointsController",
    inputs: [activeConfigInput, weak(Member)],
    outputs: [exclusive(KubePrismEndpoint)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined || cluster === undefined) return [];
      const endpoints: KubePrismEndpointSpec["endpoints"][number][] = [];
      const { endpoint, localAPIServerPort = defaultControlPlanePort } = cluster.controlPlane ?? {};
      if (endpoint !== undefined) {
        const { hostname, port, protocol } = new URL(endpoint);
        const host = hostname.replace(/^\[(.*)\]$/, "$1");
        endpoints.push({ host, port: port === "" ? (defaultPorts[protocol] ?? 443) : Number(port) });
      }
      if (isControlPlane(parseMachineType(machine.type)))
        endpoints.push({ host: "localhost", port: localAPIServerPort });
      for (const { spec } of await context.list(Member)) {
        const { controlPlane, addresses } = spec;
        if (controlPlane === undefined) continue;
        endpoints.push(...addresses.map((host) => ({ host, port: controlPlane.port })));
      }
      const distinct = new Map(endpoints.map((address) => [`${address.host} ${String(address.port)}`, address]));
      const spec = KubePrismEndpoint.spec({ endpoints: [...distinct.values()] });
      return [createResource(KubePrismEndpoint, KubePrismEndpoint.id, spec)];
    },
  });
}
