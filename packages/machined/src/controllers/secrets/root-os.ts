import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { isAddress } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { authoritiesFromConfig } from "./internal/config-pem.ts";

/** The service through which pods reach the machine API. */
const podAccessNames = ["talos", "talos.default"] as const;

/** Authority and join token of the machine API, from the configuration. */
export function rootOSController(): Controller {
  return reduceController({
    name: "secrets.RootOSController",
    inputs: [activeConfigInput],
    outputs: [exclusive(OSRootSecret)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined || cluster === undefined) return [];
      const { certSANs = [], ca, acceptedCAs, token = "", features } = machine;
      const forPods = features?.kubernetesTalosAPIAccess?.enabled === true ? podAccessNames : [];
      const spec = OSRootSecret.spec({
        ...authoritiesFromConfig(ca, acceptedCAs, "machine"),
        certSANIPs: certSANs.filter(isAddress),
        certSANDNSNames: [...certSANs.filter((san) => !isAddress(san)), ...forPods],
        token,
      });
      return [createResource(OSRootSecret, OSRootSecret.id, spec)];
    },
  });
}
