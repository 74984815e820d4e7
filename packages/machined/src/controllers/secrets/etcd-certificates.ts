import type { Clock } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import { HostnameStatus, NetworkStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { EtcdRootSecret, EtcdSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { addressOf } from "@talos-ts/base/net";
import { fqdnOf } from "../internal/hostname.ts";
import { certificateAddresses } from "./api-cert-sans.ts";
import { issuingController } from "./internal/issuing-controller.ts";

/** Certificates of etcd and of those who talk to it; they last as long as the authority, so no clock renews them. */
export function etcdCertificatesController({ clock }: { readonly clock: Clock }): Controller {
  return issuingController({
    name: "secrets.EtcdController",
    inputs: [
      weak(EtcdRootSecret, { id: EtcdRootSecret.id }),
      weak(NetworkStatus, { id: NetworkStatus.id }),
      weak(TimeStatus, { id: TimeStatus.id }),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(NodeAddress, { id: certificateAddresses }),
    ],
    output: EtcdSecret,
    clock,
    async plan(context) {
      const root = await context.find(EtcdRootSecret, EtcdRootSecret.id);
      if (root === undefined) return "none";
      const network = await context.find(NetworkStatus, NetworkStatus.id);
      const time = await context.find(TimeStatus, TimeStatus.id);
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const addresses = await context.find(NodeAddress, certificateAddresses);
      const { etcdCA } = root.spec;
      const networkReady = network?.spec.addressReady === true && network.spec.hostnameReady;
      if (!networkReady || time?.spec.synced !== true || etcdCA === undefined) return undefined;
      if (hostname === undefined || addresses === undefined) return undefined;
      const member = {
        hostname: hostname.spec.hostname,
        dnsNames: [...new Set([hostname.spec.hostname, fqdnOf(hostname.spec)])],
        ipAddresses: addresses.spec.addresses.map(addressOf),
      };
      return {
        basis: [root, hostname, addresses],
        async issue() {
          const options = { now: new Date(clock.now()) };
          return EtcdSecret.spec({
            etcd: await issueLeaf("etcdServer", etcdCA, member, options),
            etcdPeer: await issueLeaf("etcdPeer", etcdCA, member, options),
            etcdAdmin: await issueLeaf("etcdAdmin", etcdCA, undefined, options),
            etcdAPIServer: await issueLeaf("etcdApiServer", etcdCA, undefined, options),
          });
        },
      };
    },
  });
}
