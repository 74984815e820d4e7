import type { Clock } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { CertSAN, OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { isControlPlane, type MachineTypeName } from "@talos-ts/machinery/config";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { apiRefreshMs } from "./api-certificates.ts";
import { issuingController } from "./internal/issuing-controller.ts";

/** The server certificate of trustd, on control plane machines. */
export function trustdCertificateController({ clock }: { readonly clock: Clock }): Controller {
  return issuingController({
    name: "secrets.TrustdController",
    inputs: [
      weak(NetworkStatus, { id: NetworkStatus.id }),
      weak(MachineType, { id: MachineType.id }),
      weak(OSRootSecret, { id: OSRootSecret.id }),
      weak(CertSAN, { id: CertSAN.ids.api }),
      weak(TimeStatus, { id: TimeStatus.id }),
    ],
    output: TrustdCertificate,
    clock,
    refreshMs: apiRefreshMs,
    async plan(context) {
      const type = (await context.find(MachineType, MachineType.id))?.spec ?? "unknown";
      const root = await context.find(OSRootSecret, OSRootSecret.id);
      if (!isControlPlane(type as MachineTypeName) || root === undefined) return "none";
      const network = await context.find(NetworkStatus, NetworkStatus.id);
      const sans = await context.find(CertSAN, CertSAN.ids.api);
      const { issuingCA, acceptedCAs } = root.spec;
      const ready = network?.spec.addressReady === true && network.spec.hostnameReady;
      if (!ready || sans === undefined || issuingCA === undefined) return undefined;
      const time = await context.find(TimeStatus, TimeStatus.id);
      const { fqdn, ips, dnsNames } = sans.spec;
      return {
        basis: [root, sans, `epoch ${String(time?.spec.epoch ?? 0)}`],
        async issue() {
          const now = new Date(clock.now());
          const server = await issueLeaf("trustdServer", issuingCA, { fqdn, dnsNames, ipAddresses: ips }, { now });
          return TrustdCertificate.spec({ server, acceptedCAs });
        },
      };
    },
  });
}
