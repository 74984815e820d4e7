import { document } from "../schema/document.ts";
import { prefix } from "../schema/formats.ts";
import { isPrefixOrAddress } from "@talos-ts/base/net";
import { boolean, string, unsigned } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";
import { quote, withoutExclusion } from "../validate/rules.ts";

const filters = object("network.KubeSpanFiltersConfig", "What is announced to peers.", {
  endpoints: property(array(string()), "Networks from which endpoints are announced; a leading ! excludes a network.", {
    example: ["0.0.0.0/0", "!192.168.0.0/16", "::/0"],
  }),
  excludeAdvertisedNetworks: property(array(prefix), "Networks never announced to peers.", {
    example: ["192.168.1.0/24"],
  }),
});

const smallestMtu = 1280;

export const kubeSpanConfig = document({
  kind: "KubeSpanConfig",
  schemaName: "network.KubeSpanConfigV1Alpha1",
  doc: "The encrypted mesh between the nodes of a cluster.",
  fields: {
    enabled: property(boolean, "Whether the node joins the mesh; needs cluster discovery."),
    advertiseKubernetesNetworks: property(boolean, "Whether pod networks are routed through the mesh."),
    allowDownPeerBypass: property(boolean, "Sends traffic outside the mesh to peers that are down."),
    harvestExtraEndpoints: property(boolean, "Collects and announces endpoints seen by peers."),
    mtu: property(unsigned("uint32", { keepZero: true }), "MTU of the link.", { default: "1420" }),
    filters: property(filters, "What is announced to peers."),
  },
  validate: (kubespan, check) => {
    if (kubespan.mtu !== undefined && kubespan.mtu < smallestMtu) {
      check.error(["mtu"], `kubespan link MTU must be at least ${smallestMtu}`);
    }
    for (const [index, network] of (kubespan.filters?.endpoints ?? []).entries()) {
      const plain = withoutExclusion(network);
      if (isPrefixOrAddress(plain)) continue;
      check.error(["filters", "endpoints", index], `KubeSpan endpoint filter is not valid: ${quote(plain)}`);
    }
    if (check.main?.machine?.network?.kubespan !== undefined) {
      check.conflict([], "kubespan is already configured in v1alpha1 machine.network.kubespan");
    }
  },
});
