import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN } from "@talos-ts/machinery/resources/secrets";
import { addressOf } from "@talos-ts/base/net";
import { fqdnOf } from "../internal/hostname.ts";
import { sanList } from "./internal/san-list.ts";

const commonName = "maintenance-service.talos.dev";

/** Publishes what the certificate of a machine without configuration must be valid for. */
export function maintenanceCertSANsController(): Controller {
  return reduceController({
    name: "secrets.MaintenanceCertSANsController",
    inputs: [weak(HostnameStatus, { id: HostnameStatus.id }), weak(NodeAddress, { id: NodeAddress.ids.accumulative })],
    outputs: [shared(CertSAN)],
    async reduce(context) {
      const addresses = await context.find(NodeAddress, NodeAddress.ids.accumulative);
      if (addresses === undefined) return undefined;
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const names = hostname === undefined ? [] : [hostname.spec.hostname, fqdnOf(hostname.spec)];
      const spec = sanList(commonName, ...addresses.spec.addresses.map(addressOf), "127.0.0.1", "::1", ...names);
      return [createResource(CertSAN, CertSAN.ids.maintenance, spec)];
    },
  });
}
