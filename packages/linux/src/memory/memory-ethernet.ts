import { kernelError } from "../ffi/errno.ts";
import type { Ethernet, EthernetSettings } from "../network/ethernet.ts";
import type { MemoryNamespace } from "./memory-namespace.ts";

/** Settings of every network interface in memory. */
const fresh: EthernetSettings = {
  features: [
    { name: "rx-gro", active: true, requested: true, fixed: false },
    { name: "rx-vlan-filter", active: false, requested: false, fixed: true },
    { name: "tx-tcp-segmentation", active: true, requested: true, fixed: false },
  ],
  rings: { rxMax: 4096, txMax: 4096, rx: 256, tx: 256 },
  channels: { combinedMax: 4, combined: 1 },
  wakeOnLan: 0,
};

export function createMemoryEthernet(home: MemoryNamespace): Ethernet {
  const all = new Map<number, EthernetSettings>();
  const find = (linkIndex: number, action: string): EthernetSettings => {
    if (!home.links.has(linkIndex)) throw kernelError({ area: "netlink", action, errno: "ENODEV" });
    return all.get(linkIndex) ?? fresh;
  };
  return {
    settings: async (linkIndex) => find(linkIndex, `read features of link ${String(linkIndex)}`),
    async change(linkIndex, { features = {}, rings, channels, wakeOnLan }) {
      const action = `change features of link ${String(linkIndex)}`;
      const current = find(linkIndex, action);
      const refuse = (): never => {
        throw kernelError({ area: "netlink", action, errno: "EINVAL" });
      };
      if (Object.keys(features).some((name) => !current.features.some((known) => known.name === name))) refuse();
      if ((rings?.rx ?? 0) > (current.rings?.rxMax ?? 0) || (rings?.tx ?? 0) > (current.rings?.txMax ?? 0)) refuse();
      all.set(linkIndex, {
        features: current.features.map((feature) => {
          const wanted = features[feature.name] ?? feature.requested;
          return feature.fixed ? feature : Object.assign({}, feature, { active: wanted, requested: wanted });
        }),
        rings: { ...current.rings, ...rings },
        channels: { ...current.channels, ...channels },
        wakeOnLan: wakeOnLan ?? current.wakeOnLan,
      });
    },
    [Symbol.dispose]: () => undefined,
  };
}
