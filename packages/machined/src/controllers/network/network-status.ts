import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import {
  HostnameStatus,
  NetworkStatus,
  NodeAddress,
  ProbeStatus,
  RouteStatus,
} from "@talos-ts/machinery/resources/network";
import type { PlatformMode } from "@talos-ts/machinery/constants";

/** Files the network needs. In a container the runtime brings `resolv.conf`. */
const requiredFiles = {
  container: ["hosts"],
  metal: ["hosts", "resolv.conf"],
  cloud: ["hosts", "resolv.conf"],
} as const;

/** Publishes which parts of the network are ready; services wait for them. */
export function networkStatusController(machine: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  return reduceController({
    name: "network.StatusController",
    inputs: [
      weak(NodeAddress, { id: NodeAddress.ids.current }),
      weak(RouteStatus),
      weak(HostnameStatus),
      weak(EtcFileStatus),
      weak(ProbeStatus),
    ],
    outputs: [exclusive(NetworkStatus)],
    async reduce(context) {
      const addresses = (await context.find(NodeAddress, NodeAddress.ids.current))?.spec.addresses ?? [];
      const probes = await context.list(ProbeStatus);
      const routes = await context.list(RouteStatus);
      const files = new Set((await context.list(EtcFileStatus)).map(({ metadata }) => metadata.id));
      const spec = NetworkStatus.spec({
        addressReady: addresses.length > 0,
        // Probes know better than the mere presence of a way out.
        connectivityReady:
          probes.length > 0
            ? probes.every((probe) => probe.spec.success)
            : routes.some((route) => route.spec.dst === ""),
        hostnameReady: (await context.find(HostnameStatus, HostnameStatus.id)) !== undefined,
        etcFilesReady: requiredFiles[machine.platform.mode].every((file) => files.has(file)),
      });
      return [createResource(NetworkStatus, NetworkStatus.id, spec)];
    },
  });
}
