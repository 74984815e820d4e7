/** `machine.network`, which separate documents have replaced; still read. */

import { boolean, string, unsigned } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";
import { deviceList } from "./network-device.ts";

const extraHost = object(undefined, "An entry of /etc/hosts.", {
  ip: property(string(), "Address of the host.", { always: true }),
  aliases: property(array(string()), "Names of the host.", { always: true }),
});

const kubespanFilters = object(undefined, "What KubeSpan announces about this node.", {
  endpoints: property(array(string()), "Networks from which endpoints are announced; a leading ! excludes a network."),
  excludeAdvertisedNetworks: property(array(string()), "Networks never announced to peers."),
});

const kubespan = object(undefined, "The KubeSpan mesh of this node.", {
  enabled: property(boolean, "Whether the node joins the mesh."),
  advertiseKubernetesNetworks: property(boolean, "Whether pod networks are routed through the mesh."),
  allowDownPeerBypass: property(boolean, "Sends traffic outside the mesh to peers that are down."),
  harvestExtraEndpoints: property(boolean, "Collects and announces endpoints seen by peers."),
  mtu: property(unsigned("uint32", { keepZero: true }), "MTU of the link.", { default: "1420" }),
  filters: property(kubespanFilters, "What is announced."),
});

export const network = object(undefined, "Network settings of the machine.", {
  hostname: property(string(), "Name of the machine.", { deprecated: "use a HostnameConfig document" }),
  interfaces: property(deviceList, "Links of the machine.", { deprecated: "use LinkConfig and its sibling documents" }),
  nameservers: property(array(string()), "DNS servers.", { deprecated: "use a ResolverConfig document" }),
  searchDomains: property(array(string()), "DNS search domains.", { deprecated: "use a ResolverConfig document" }),
  extraHostEntries: property(array(extraHost), "Entries of /etc/hosts.", {
    deprecated: "use StaticHostConfig documents",
  }),
  kubespan: property(kubespan, "The KubeSpan mesh.", { deprecated: "use a KubeSpanConfig document" }),
  disableSearchDomain: property(boolean, "Keeps the domain of the host out of the search domains.", {
    deprecated: "use a ResolverConfig document",
  }),
});
