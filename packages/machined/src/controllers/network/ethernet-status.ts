import type { Clock } from "@talos-ts/base";
import { exclusive, weak, type Controller } from "@talos-ts/cosi";
import { linkFlags, type EthernetFeature, type EthernetSettings, type Link, type Linux } from "@talos-ts/linux";
import { wolMode, type WolMode } from "@talos-ts/machinery/resources/enums";
import { EthernetStatus, LinkRefresh, type EthernetStatusSpec } from "@talos-ts/machinery/resources/network";
import { kernelObserver } from "./internal/kernel-observer.ts";
import { readLinkDevice, type LinkDevice } from "./internal/link-device.ts";

const ethernet = 1;

/** Settings of network cards and other Ethernet links that are no bridges, bonds or the like. */
export function ethernetStatusController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const { networks, textFiles } = machine.linux;
  return kernelObserver(machine, {
    name: "network.EthernetStatusController",
    type: EthernetStatus,
    output: exclusive(EthernetStatus),
    inputs: [weak(LinkRefresh)],
    groups: ["links"],
    async observe(context) {
      const cards = (await networks.here.links()).filter(
        ({ type, kind }) => type === ethernet && ["", "veth"].includes(kind),
      );
      const found = cards.map(async (link) => {
        try {
          const settings = await networks.here.ethernet.settings(link.index);
          return [[link.name, statusOf(link, settings, await readLinkDevice(textFiles, link.name))] as const];
        } catch (err) {
          // A link may go while it is read, and a kernel may not have ethtool over netlink.
          context.logger.debug("cannot read the settings of the network interface", {
            link: link.name,
            error: String(err),
          });
          return [];
        }
      });
      return (await Promise.all(found)).flat();
    },
  });
}

function statusOf(link: Link, settings: EthernetSettings, device: LinkDevice): EthernetStatusSpec {
  const { rings, channels, wakeOnLan } = settings;
  return EthernetStatus.spec({
    linkState: link.carrier && (link.flags & linkFlags.up) !== 0,
    speedMbit: device.speedMbit,
    duplex: device.duplex,
    port: "Other",
    features: settings.features.map((feature) => ({ name: feature.name, status: featureText(feature) })),
    rings: rings === undefined ? undefined : ringsOf(rings),
    channels,
    wakeOnLAN: wakeOnLan === undefined ? [] : modesOf(wakeOnLan),
  });
}

function ringsOf({ txPush, rxPush, tcpDataSplit, ...sizes }: NonNullable<EthernetSettings["rings"]>) {
  return {
    ...sizes,
    ...(txPush === undefined ? {} : { txPush: txPush === 1 }),
    ...(rxPush === undefined ? {} : { rxPush: rxPush === 1 }),
    ...(tcpDataSplit === undefined ? {} : { tcpDataSplit: tcpDataSplit === 2 }),
  };
}

function featureText({ active, requested, fixed }: EthernetFeature): string {
  const state = active ? "on" : "off";
  if (fixed) return `${state} [fixed]`;
  return active === requested ? state : `${state} [requested ${requested ? "on" : "off"}]`;
}

function modesOf(bits: number): readonly WolMode[] {
  return [1, 2, 4, 8, 32, 64, 128].filter((bit) => (bits & bit) !== 0).map((bit) => wolMode.fromNumber(bit));
}
