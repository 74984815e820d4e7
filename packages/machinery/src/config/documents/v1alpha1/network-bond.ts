import { boolean, string, unsigned } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";
import { deviceSelector } from "./network-selector.ts";

/** Names and meanings are those of the kernel's bonding driver. */
export const bond = object(undefined, "A bond.", {
  interfaces: field(list(string()), "Links in the bond.", { always: true }),
  deviceSelectors: field(list(deviceSelector), "Chooses the links by their hardware."),
  arpIPTarget: field(list(string()), "Not supported."),
  mode: field(string(), "Mode of the bond.", { always: true }),
  xmitHashPolicy: field(string(), "How packets are spread over links."),
  lacpRate: field(string(), "How often LACP packets are sent."),
  adActorSystem: field(string(), "Not supported."),
  arpValidate: field(string(), "Which ARP answers are checked."),
  arpAllTargets: field(string(), "How many ARP targets must answer."),
  primary: field(string(), "Link preferred while it is up."),
  primaryReselect: field(string(), "When the primary link is chosen again."),
  failOverMac: field(string(), "Which hardware address is used after failover."),
  adSelect: field(string(), "How 802.3ad aggregators are chosen."),
  miimon: field(unsigned("uint32"), "Milliseconds between checks of the link state."),
  updelay: field(unsigned("uint32"), "Milliseconds before a link counts as up."),
  downdelay: field(unsigned("uint32"), "Milliseconds before a link counts as down."),
  arpInterval: field(unsigned("uint32"), "Milliseconds between ARP checks."),
  resendIgmp: field(unsigned("uint32"), "IGMP reports sent after failover."),
  minLinks: field(unsigned("uint32"), "Links needed before the bond is up."),
  lpInterval: field(unsigned("uint32"), "Seconds between learning packets."),
  packetsPerSlave: field(unsigned("uint32"), "Packets sent over a link before the next one."),
  numPeerNotif: field(unsigned("uint8"), "Notifications sent after failover."),
  tlbDynamicLb: field(unsigned("uint8"), "Whether flows are shuffled in tlb mode."),
  allSlavesActive: field(unsigned("uint8"), "Whether frames on inactive ports are delivered."),
  useCarrier: field(boolean, "Whether the driver's carrier state is used."),
  adActorSysPrio: field(unsigned("uint16"), "System priority in 802.3ad."),
  adUserPortKey: field(unsigned("uint16"), "User part of the port key in 802.3ad."),
  peerNotifyDelay: field(unsigned("uint32"), "Milliseconds between notifications."),
});
