import { address, hardwareAddressFormat } from "../schema/formats.ts";
import { document } from "../schema/document.ts";
import { boolean, choice, string, unsigned } from "../schema/scalars.ts";
import { property, array } from "../schema/type.ts";
import { bondWords } from "./shared/bond-words.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

const count = (size: "uint8" | "uint16" | "uint32") => unsigned(size, { keepZero: true });

/** Options an 802.3ad bond should state, because their defaults notice no failure. */
const watched = ["miimon", "updelay", "downdelay"] as const;

export const bondConfig = document({
  kind: "BondConfig",
  schemaName: "network.BondConfigV1Alpha1",
  doc: "A bond: several links that act as one. Options are those of the kernel's bonding driver.",
  name: "Name of the bond.",
  conflictsWith: otherLinkKinds("BondConfig"),
  fields: {
    hardwareAddr: property(hardwareAddressFormat, "Hardware address of the bond."),
    links: property(array(string()), "Links in the bond.", { required: true, example: ["enp0s2", "enp0s3"] }),
    bondMode: property(choice("BondMode", bondWords.mode), "How the links are used.", {
      required: true,
      example: "802.3ad",
    }),
    miimon: property(count("uint32"), "Milliseconds between checks of the link state."),
    updelay: property(count("uint32"), "Milliseconds before a link counts as up."),
    downdelay: property(count("uint32"), "Milliseconds before a link counts as down."),
    useCarrier: property(boolean, "Whether the driver's carrier state is used."),
    xmitHashPolicy: property(
      choice("BondXmitHashPolicy", bondWords.xmitHashPolicy),
      "How packets are spread over the links.",
    ),
    arpInterval: property(count("uint32"), "Milliseconds between ARP checks."),
    arpIpTargets: property(array(address), "Addresses asked by ARP checks."),
    nsIp6Targets: property(array(address), "IPv6 addresses asked by neighbour checks."),
    arpValidate: property(choice("ARPValidate", bondWords.arpValidate), "Which ARP answers are checked."),
    arpAllTargets: property(choice("ARPAllTargets", bondWords.arpAllTargets), "How many ARP targets must answer."),
    lacpRate: property(choice("LACPRate", bondWords.lacpRate), "How often LACP packets are asked for."),
    failOverMac: property(
      choice("FailOverMAC", bondWords.failOverMac),
      "Which hardware address is used after failover.",
    ),
    adSelect: property(choice("ADSelect", bondWords.adSelect), "How aggregators are chosen."),
    adActorSysPrio: property(count("uint16"), "System priority in 802.3ad."),
    adUserPortKey: property(count("uint16"), "User part of the port key in 802.3ad."),
    adLACPActive: property(
      choice("ADLACPActive", ["off", "on"], { json: { enum: ["on", "off"] } }),
      "Whether LACP packets are sent without being asked.",
    ),
    primaryReselect: property(
      choice("PrimaryReselect", bondWords.primaryReselect),
      "When the primary link is chosen again.",
    ),
    resendIGMP: property(count("uint32"), "IGMP reports sent after failover."),
    minLinks: property(count("uint32"), "Links needed before the bond is up."),
    lpInterval: property(count("uint32"), "Seconds between learning packets."),
    packetsPerSlave: property(count("uint32"), "Packets sent over a link before the next one."),
    numPeerNotif: property(count("uint8"), "Notifications sent after failover."),
    tlbLogicalLb: property(count("uint8"), "Whether flows are shuffled in tlb mode."),
    allSlavesActive: property(count("uint8"), "Whether frames on inactive ports are delivered."),
    peerNotifDelay: property(count("uint32"), "Milliseconds between notifications."),
    missedMax: property(count("uint8"), "Missed ARP answers before a link counts as down."),
    ...commonLink,
  },
  validate: (bond, check) => {
    requireName(bond, check);
    if ((bond.links ?? []).length === 0) check.error(["links"], "at least one link must be specified");
    if (bond.bondMode === undefined) check.error(["bondMode"], "bond mode must be specified");
    for (const option of bond.bondMode === "802.3ad" ? watched : []) {
      if (bond[option] === undefined) check.warn([option], `${option} was not specified for 802.3ad bond`);
    }
    validateCommonLink(bond, check);
  },
});
