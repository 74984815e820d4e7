import type { Clock } from "@talos-ts/base";
import { shared, type Controller } from "@talos-ts/cosi";
import type { EthernetChange, EthernetSettings, Linux } from "@talos-ts/linux";
import { wolMode } from "@talos-ts/machinery/resources/enums";
import { EthernetSpec, LinkRefresh, type EthernetSpecSpec } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";
import { findLink } from "./internal/link-names.ts";

/** TCP data split: the kernel knows "unknown", off and on. */
const splitValues = { off: 1, on: 2 } as const;

/** Gives network cards their settings, and puts back what they had. */
export function ethernetSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const { here } = machine.linux.networks;
  /** Former settings of network interfaces, by link index. */
  const formers = new Map<number, EthernetChange>();

  return kernelApplier(machine, {
    name: "network.EthernetSpecController",
    type: EthernetSpec,
    noun: "ethernet",
    groups: ["links"],
    outputs: [shared(LinkRefresh)],
    async apply(spec, links, context, name) {
      const link = findLink(links, name);
      if (link === undefined) return;
      const current = await here.ethernet.settings(link.index);
      const former = formers.get(link.index) ?? {};
      const wanted = merged(former, changeOf(spec));
      const changes = differences(wanted, current);
      if (changes === undefined) return;
      formers.set(link.index, merged(valuesOf(changes, current), former));
      await here.ethernet.change(link.index, changes);
      await context.modify(LinkRefresh, name, (last) => ({ generation: (last?.generation ?? 0) + 1 }));
      context.logger.info("changed the settings of the network interface", {
        link: name,
        changes: JSON.stringify(changes),
      });
    },
    async remove(_spec, links, context, name) {
      const link = findLink(links, name);
      const former = link === undefined ? undefined : formers.get(link.index);
      if (link === undefined || former === undefined) return;
      await here.ethernet.change(link.index, former);
      formers.delete(link.index);
      await context.modify(LinkRefresh, name, (last) => ({ generation: (last?.generation ?? 0) + 1 }));
    },
  });
}

function changeOf({ features, rings, channels, wakeOnLan }: EthernetSpecSpec): EthernetChange {
  const { txPush, rxPush, tcpDataSplit, ...sizes } = rings;
  const split = tcpDataSplit === undefined ? undefined : splitValues[tcpDataSplit ? "on" : "off"];
  return {
    features,
    rings: given({ ...sizes, txPush: numberOf(txPush), rxPush: numberOf(rxPush), tcpDataSplit: split }),
    channels: given(channels),
    ...(wakeOnLan.length === 0
      ? {}
      : { wakeOnLan: wakeOnLan.reduce((bits, mode) => bits | wolMode.toNumber(mode), 0) }),
  };
}

function numberOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function given(values: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function merged(below: EthernetChange, above: EthernetChange): EthernetChange {
  const wakeOnLan = above.wakeOnLan ?? below.wakeOnLan;
  return {
    features: { ...below.features, ...above.features },
    rings: { ...below.rings, ...above.rings },
    channels: { ...below.channels, ...above.channels },
    ...(wakeOnLan === undefined ? {} : { wakeOnLan }),
  };
}

/** The settings that a change is about, as they are. A feature is compared with what was asked for: it may not take effect. */
function valuesOf(change: EthernetChange, current: EthernetSettings): EthernetChange {
  const requested = new Map(current.features.map((feature) => [feature.name, feature.requested]));
  const pick = (names: object | undefined, from: object | undefined): Readonly<Record<string, number>> => {
    const known: Readonly<Record<string, number | undefined>> = { ...from };
    return given(Object.fromEntries(Object.keys(names ?? {}).map((name) => [name, known[name]])));
  };
  const features = Object.keys(change.features ?? {}).flatMap((name) => {
    const value = requested.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    features: Object.fromEntries(features),
    rings: pick(change.rings, current.rings),
    channels: pick(change.channels, current.channels),
    ...(change.wakeOnLan === undefined || current.wakeOnLan === undefined ? {} : { wakeOnLan: current.wakeOnLan }),
  };
}

function differences(wanted: EthernetChange, current: EthernetSettings): EthernetChange | undefined {
  const now = valuesOf(wanted, current);
  const changed = <V>(
    some: Readonly<Record<string, V>> = {},
    same: Readonly<Record<string, V>> = {},
  ): Readonly<Record<string, V>> =>
    Object.fromEntries(Object.entries(some).filter(([key, value]) => same[key] !== value));
  const features = changed(wanted.features, now.features);
  const rings = changed(
    wanted.rings as Readonly<Record<string, number>>,
    now.rings as Readonly<Record<string, number>>,
  );
  const channels = changed(
    wanted.channels as Readonly<Record<string, number>>,
    now.channels as Readonly<Record<string, number>>,
  );
  const wakes = wanted.wakeOnLan !== undefined && wanted.wakeOnLan !== now.wakeOnLan;
  const count = [features, rings, channels].reduce((sum, part) => sum + Object.keys(part).length, 0);
  if (count === 0 && !wakes) return undefined;
  return { features, rings, channels, ...(wakes ? { wakeOnLan: wanted.wakeOnLan } : {}) };
}
