import { boolean, string, unsigned } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";
import { deviceSelector } from "./network-selector.ts";

/** Names and meanings are those of the kernel's bonding driver. */
export const bond = object(undefined, "A bond.", {
  interfaces: property(array(string()), "Links in the bond.", { always: true }),
  deviceSelectors: property(array(deviceSelector), "Chooses the links by their hardware."),
  arpIPTarget: property(array(string()), "Not supported."),
  mode: property(string(), "Mode of the bond.", { always: true }),
  xmitHashPolicy: property(string(), "How packets are spread over links."),
  lacpRate: property(string(), "How often LACP packets are sent."),
  adActorSystem: property(string(), "Not supported."),
  arpValidate: property(string(), "Which ARP answers are checked."),
  arpAllTargets: property(string(), "How many ARP targets must answer."),
  primary: property(string(), "Link preferred while it is up."),
  primaryReselect: property(string(), "When the primary link is chosen again."),
  failOverMac: property(string(), "Which hardware address is used after failover."),
  adSelect: property(string(), "How 802.3ad aggregators are chosen."),
  miimon: property(unsigned("uint32"), "Milliseconds between checks of the link state."),
  updelay: property(unsigned("uint32"), "Milliseconds before a link counts as up."),
  downdelay: property(unsigned("uint32"), "Milliseconds before a link counts as down."),
  arpInterval: property(unsigned("uint32"), "Milliseconds between ARP checks."),
  resendIgmp: property(unsigned("uint32"), "IGMP reports sent after failover."),
  minLinks: property(unsigned("uint32"), "Links needed before the bond is up."),
  lpInterval: property(unsigned("uint32"), "Seconds between learning packets."),
  packetsPerSlave: property(unsigned("uint32"), "Packets sent over a link before the next one."),
  numPeerNotif: property(unsigned("uint8"), "Notifications sent after failover."),
  tlbDynamicLb: property(unsigned("uint8"), "Whether flows are shuffled in tlb mode."),
  allSlavesActive: property(unsigned("uint8"), "Whether frames on inactive ports are delivered."),
  useCarrier: property(boolean, "Whether the driver's carrier state is used."),
  adActorSysPrio: property(unsigned("uint16"), "System priority in 802.3ad."),
  adUserPortKey: property(unsigned("uint16"), "User part of the port key in 802.3ad."),
  peerNotifyDelay: property(unsigned("uint32"), "Milliseconds between notifications."),
});
