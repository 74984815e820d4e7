import type { Clock } from "@talos-ts/base";
import { exclusive, weak, type Controller } from "@talos-ts/cosi";
import { linkFlags as kernelFlags, type Link, type Linux } from "@talos-ts/linux";
import { linkFlags, linkType, operationalState, vlanProtocol, routingTable } from "@talos-ts/machinery/resources/enums";
import { LinkRefresh, LinkSpec, LinkStatus, type LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { bondStatus } from "./internal/kernel-bond.ts";
import { kernelObserver } from "./internal/kernel-observer.ts";
import { readLinkDevice, type LinkDevice } from "./internal/link-device.ts";
import { wireguardStatus } from "./internal/wireguard-settings.ts";

/** Links of the kernel, as they are. */
export function linkStatusController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const { networks, textFiles } = machine.linux;
  return kernelObserver(machine, {
    name: "network.LinkStatusController",
    type: LinkStatus,
    output: exclusive(LinkStatus),
    inputs: [weak(LinkSpec), weak(LinkRefresh)],
    groups: ["links"],
    async observe() {
      const links = await networks.here.links();
      const observed = async (link: Link): Promise<LinkStatusSpec> => {
        const status = statusOf(link, await readLinkDevice(textFiles, link.name));
        if (link.kind !== "wireguard") return status;
        return { ...status, wireguard: wireguardStatus(await networks.here.wireguard.device(link.index)) };
      };
      return Promise.all(links.map(async (link) => [link.name, await observed(link)] as const));
    },
  });
}

/** Reports whether a link is a network card. */
export function isPhysical({ type, kind }: Pick<LinkStatusSpec, "type" | "kind">): boolean {
  return type === "ether" && kind === "";
}

function statusOf(link: Link, device: LinkDevice): LinkStatusSpec {
  return LinkStatus.spec({
    alias: link.alias,
    altNames: link.alternativeNames,
    index: link.index,
    type: linkType.fromNumber(link.type),
    linkIndex: link.linkIndex,
    flags: linkFlags.fromNumber(link.flags),
    hardwareAddr: link.hardwareAddress,
    permanentAddr: link.permanentAddress,
    broadcastAddr: link.broadcastAddress,
    mtu: link.mtu,
    queueDisc: link.queueDiscipline,
    masterIndex: link.masterIndex,
    operationalState: operationalState.fromNumber(link.operationalState),
    kind: link.kind,
    slaveKind: link.slaveKind,
    linkState: link.carrier && (link.flags & kernelFlags.up) !== 0,
    port: "Other",
    ...device,
    ...kindSettings(link),
  });
}

function kindSettings({ info }: Link): Partial<LinkStatusSpec> {
  if (info?.kind === "vlan") {
    return { vlan: { vlanID: info.id, vlanProtocol: vlanProtocol.fromNumber(info.protocol ?? 0x8100) } };
  }
  if (info?.kind === "bridge") {
    return {
      bridgeMaster: { stp: { enabled: info.stp ?? false }, vlan: { filteringEnabled: info.vlanFiltering ?? false } },
    };
  }
  if (info?.kind === "bond") {
    const { kind: _, ...settings } = info;
    return { bondMaster: LinkStatus.spec({ bondMaster: bondStatus(settings) }).bondMaster };
  }
  if (info?.kind === "vrf") return { vrfMaster: { table: routingTable.fromNumber(info.table) } };
  return {};
}
