import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN, OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { addressOf } from "@talos-ts/base/net";
import { fqdnOf } from "../internal/hostname.ts";
import { sanList } from "./internal/san-list.ts";

/** All addresses the machine ever had, without those of Kubernetes. */
export const certificateAddresses = "accumulative-no-k8s";

/** Publishes what the certificates of apid and trustd must be valid for. */
export function apiCertSANsController(): Controller {
  return reduceController({
    name: "secrets.APICertSANsController",
    inputs: [
      weak(OSRootSecret, { id: OSRootSecret.id }),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(NodeAddress, { id: certificateAddresses }),
    ],
    outputs: [shared(CertSAN)],
    async reduce(context) {
      const root = await context.find(OSRootSecret, OSRootSecret.id);
      if (root === undefined) return [];
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const addresses = await context.find(NodeAddress, certificateAddresses);
      if (hostname === undefined || addresses === undefined) return undefined;
      const fqdn = fqdnOf(hostname.spec);
      const spec = sanList(
        fqdn,
        ...root.spec.certSANIPs,
        ...addresses.spec.addresses.map(addressOf),
        "127.0.0.1",
        ...root.spec.certSANDNSNames,
        hostname.spec.hostname,
        fqdn,
      );
      return [createResource(CertSAN, CertSAN.ids.api, spec)];
    },
  });
}
