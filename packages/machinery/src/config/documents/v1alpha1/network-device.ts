/** One link of `machine.network.interfaces`. */

import { durationFormat } from "../../schema/formats.ts";
import { boolean, integer, string, unsigned } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";
import { bond } from "./network-bond.ts";
import { deviceSelector } from "./network-selector.ts";

const route = object(undefined, "A static route.", {
  network: property(string(), "Destination of the route; empty for the default route.", { always: true }),
  gateway: property(string(), "Gateway of the route.", { always: true }),
  source: property(string(), "Source address of the route."),
  metric: property(unsigned("uint32"), "Metric of the route."),
  mtu: property(unsigned("uint32"), "MTU of the route."),
});

const dhcpOptions = object(undefined, "How DHCP runs on a link.", {
  routeMetric: property(unsigned("uint32"), "Metric of routes learnt by DHCP.", { always: true }),
  ipv4: property(boolean, "Whether DHCPv4 runs.", { default: "true" }),
  ipv6: property(boolean, "Whether DHCPv6 runs.", { default: "false" }),
  duidv6: property(string(), "Identifier the node presents to DHCPv6 servers."),
});

const apiToken = { apiToken: property(string(), "Token for the provider's API.", { always: true, secret: true }) };

const vip = object(undefined, "An address shared by the control plane nodes.", {
  ip: property(string(), "The shared address."),
  equinixMetal: property(
    object(undefined, "Equinix Metal.", apiToken),
    "Moves the address by the API of Equinix Metal.",
  ),
  hcloud: property(object(undefined, "Hetzner Cloud.", apiToken), "Moves the address by the API of Hetzner Cloud."),
});

const vlan = object(undefined, "A VLAN on a link.", {
  addresses: property(array(string()), "Addresses of the VLAN."),
  cidr: property(string(), "Address of the VLAN.", { deprecated: "use addresses" }),
  routes: property(array(route), "Routes through the VLAN.", { always: true }),
  dhcp: property(boolean, "Whether DHCP runs on the VLAN."),
  vlanId: property(unsigned("uint16"), "Number of the VLAN.", { always: true }),
  mtu: property(unsigned("uint32"), "MTU of the VLAN."),
  vip: property(vip, "Address shared on the VLAN."),
  dhcpOptions: property(dhcpOptions, "How DHCP runs."),
});

const wireguardPeer = object(undefined, "A WireGuard peer.", {
  publicKey: property(string(), "Public key of the peer."),
  endpoint: property(string(), "Address and port of the peer."),
  persistentKeepaliveInterval: property(durationFormat, "How often an idle connection is kept open."),
  allowedIPs: property(array(string()), "Networks reached through the peer."),
});

const wireguard = object(undefined, "A WireGuard link.", {
  privateKey: property(string(), "Private key of the link.", { secret: true }),
  listenPort: property(integer(), "Port the link listens on."),
  firewallMark: property(integer(), "Mark on packets of the link."),
  peers: property(array(wireguardPeer), "Peers of the link."),
});

const stp = object(undefined, "Spanning tree.", { enabled: property(boolean, "Whether spanning tree runs.") });
const bridgeVlan = object(undefined, "VLANs of a bridge.", {
  vlanFiltering: property(boolean, "Whether the bridge looks at VLAN tags."),
});

const bridge = object(undefined, "A bridge.", {
  interfaces: property(array(string()), "Links in the bridge.", { always: true }),
  stp: property(stp, "Spanning tree of the bridge."),
  vlan: property(bridgeVlan, "VLANs of the bridge."),
});

const bridgePort = object(undefined, "A link as port of a bridge.", {
  master: property(string(), "Name of the bridge."),
});

const device = object(undefined, "A link.", {
  interface: property(string(), "Name of the link."),
  deviceSelector: property(deviceSelector, "Chooses the link by its hardware instead of its name."),
  addresses: property(array(string()), "Addresses of the link."),
  cidr: property(string(), "Address of the link.", { deprecated: "use addresses" }),
  routes: property(array(route), "Routes through the link."),
  bond: property(bond, "Makes the link a bond."),
  bridge: property(bridge, "Makes the link a bridge."),
  bridgePort: property(bridgePort, "Makes the link a port of a bridge."),
  vlans: property(array(vlan, { mergeKeys: ["vlanId"] }), "VLANs on the link."),
  mtu: property(integer(), "MTU of the link."),
  dhcp: property(boolean, "Whether DHCP runs on the link."),
  ignore: property(boolean, "Leaves the link alone."),
  dummy: property(boolean, "Makes the link a dummy."),
  dhcpOptions: property(dhcpOptions, "How DHCP runs."),
  wireguard: property(wireguard, "Makes the link a WireGuard link."),
  vip: property(vip, "Address shared on the link."),
});

export const deviceList = array(device, { mergeKeys: ["interface", "deviceSelector"] });
