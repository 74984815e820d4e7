/** `machine.network`, which separate documents have replaced; still read. */

import { boolean, string, unsigned } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";
import { deviceList } from "./network-device.ts";

const extraHost = object(undefined, "An entry of /etc/hosts.", {
  ip: field(string(), "Address of the host.", { always: true }),
  aliases: field(list(string()), "Names of the host.", { always: true }),
});

const kubespanFilters = object(undefined, "What KubeSpan announces about this node.", {
  endpoints: field(list(string()), "Networks from which endpoints are announced; a leading ! excludes a network."),
  excludeAdvertisedNetworks: field(list(string()), "Networks never announced to peers."),
});

const kubespan = object(undefined, "The KubeSpan mesh of this node.", {
  enabled: field(boolean, "Whether the node joins the mesh."),
  advertiseKubernetesNetworks: field(boolean, "Whether pod networks are routed through the mesh."),
  allowDownPeerBypass: field(boolean, "Sends traffic outside the mesh to peers that are down."),
  harvestExtraEndpoints: field(boolean, "Collects and announces endpoints seen by peers."),
  mtu: field(unsigned("uint32", { keepZero: true }), "MTU of the link.", { default: "1420" }),
  filters: field(kubespanFilters, "What is announced."),
});

export const network = object(undefined, "Network settings of the machine.", {
  hostname: field(string(), "Name of the machine.", { deprecated: "use a HostnameConfig document" }),
  interfaces: field(deviceList, "Links of the machine.", { deprecated: "use LinkConfig and its sibling documents" }),
  nameservers: field(list(string()), "DNS servers.", { deprecated: "use a ResolverConfig document" }),
  searchDomains: field(list(string()), "DNS search domains.", { deprecated: "use a ResolverConfig document" }),
  extraHostEntries: field(list(extraHost), "Entries of /etc/hosts.", { deprecated: "use StaticHostConfig documents" }),
  kubespan: field(kubespan, "The KubeSpan mesh.", { deprecated: "use a KubeSpanConfig document" }),
  disableSearchDomain: field(boolean, "Keeps the domain of the host out of the search domains.", {
    deprecated: "use a ResolverConfig document",
  }),
});
