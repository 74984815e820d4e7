/** One link of `machine.network.interfaces`. */

import { duration } from "../../schema/formats.ts";
import { boolean, integer, string, unsigned } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";
import { bond } from "./network-bond.ts";
import { deviceSelector } from "./network-selector.ts";

const route = object(undefined, "A static route.", {
  network: field(string(), "Destination of the route; empty for the default route.", { always: true }),
  gateway: field(string(), "Gateway of the route.", { always: true }),
  source: field(string(), "Source address of the route."),
  metric: field(unsigned("uint32"), "Metric of the route."),
  mtu: field(unsigned("uint32"), "MTU of the route."),
});

const dhcpOptions = object(undefined, "How DHCP runs on a link.", {
  routeMetric: field(unsigned("uint32"), "Metric of routes learnt by DHCP.", { always: true }),
  ipv4: field(boolean, "Whether DHCPv4 runs.", { default: "true" }),
  ipv6: field(boolean, "Whether DHCPv6 runs.", { default: "false" }),
  duidv6: field(string(), "Identifier the node presents to DHCPv6 servers."),
});

const apiToken = { apiToken: field(string(), "Token for the provider's API.", { always: true, secret: true }) };

const vip = object(undefined, "An address shared by the control plane nodes.", {
  ip: field(string(), "The shared address."),
  equinixMetal: field(object(undefined, "Equinix Metal.", apiToken), "Moves the address by the API of Equinix Metal."),
  hcloud: field(object(undefined, "Hetzner Cloud.", apiToken), "Moves the address by the API of Hetzner Cloud."),
});

const vlan = object(undefined, "A VLAN on a link.", {
  addresses: field(list(string()), "Addresses of the VLAN."),
  cidr: field(string(), "Address of the VLAN.", { deprecated: "use addresses" }),
  routes: field(list(route), "Routes through the VLAN.", { always: true }),
  dhcp: field(boolean, "Whether DHCP runs on the VLAN."),
  vlanId: field(unsigned("uint16"), "Number of the VLAN.", { always: true }),
  mtu: field(unsigned("uint32"), "MTU of the VLAN."),
  vip: field(vip, "Address shared on the VLAN."),
  dhcpOptions: field(dhcpOptions, "How DHCP runs."),
});

const wireguardPeer = object(undefined, "A WireGuard peer.", {
  publicKey: field(string(), "Public key of the peer."),
  endpoint: field(string(), "Address and port of the peer."),
  persistentKeepaliveInterval: field(duration, "How often an idle connection is kept open."),
  allowedIPs: field(list(string()), "Networks reached through the peer."),
});

const wireguard = object(undefined, "A WireGuard link.", {
  privateKey: field(string(), "Private key of the link.", { secret: true }),
  listenPort: field(integer(), "Port the link listens on."),
  firewallMark: field(integer(), "Mark on packets of the link."),
  peers: field(list(wireguardPeer), "Peers of the link."),
});

const stp = object(undefined, "Spanning tree.", { enabled: field(boolean, "Whether spanning tree runs.") });
const bridgeVlan = object(undefined, "VLANs of a bridge.", {
  vlanFiltering: field(boolean, "Whether the bridge looks at VLAN tags."),
});

const bridge = object(undefined, "A bridge.", {
  interfaces: field(list(string()), "Links in the bridge.", { always: true }),
  stp: field(stp, "Spanning tree of the bridge."),
  vlan: field(bridgeVlan, "VLANs of the bridge."),
});

const bridgePort = object(undefined, "A link as port of a bridge.", {
  master: field(string(), "Name of the bridge."),
});

const device = object(undefined, "A link.", {
  interface: field(string(), "Name of the link."),
  deviceSelector: field(deviceSelector, "Chooses the link by its hardware instead of its name."),
  addresses: field(list(string()), "Addresses of the link."),
  cidr: field(string(), "Address of the link.", { deprecated: "use addresses" }),
  routes: field(list(route), "Routes through the link."),
  bond: field(bond, "Makes the link a bond."),
  bridge: field(bridge, "Makes the link a bridge."),
  bridgePort: field(bridgePort, "Makes the link a port of a bridge."),
  vlans: field(list(vlan, { mergeKeys: ["vlanId"] }), "VLANs on the link."),
  mtu: field(integer(), "MTU of the link."),
  dhcp: field(boolean, "Whether DHCP runs on the link."),
  ignore: field(boolean, "Leaves the link alone."),
  dummy: field(boolean, "Makes the link a dummy."),
  dhcpOptions: field(dhcpOptions, "How DHCP runs."),
  wireguard: field(wireguard, "Makes the link a WireGuard link."),
  vip: field(vip, "Address shared on the link."),
});

export const deviceList = list(device, { mergeKeys: ["interface", "deviceSelector"] });
