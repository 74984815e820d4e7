import {
  bondConfig,
  bridgeConfig,
  documentsOf,
  dummyLinkConfig,
  linkConfig,
  vlanConfig,
  vrfConfig,
  wireguardConfig,
  type Config,
  type DocumentOf,
} from "@talos-ts/machinery/config";
import { LinkSpec, type LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import { documentBond, legacyBond } from "./bond-settings.ts";
import type { Device } from "./devices.ts";
import { configuredWireguard } from "./wireguard-settings.ts";

/** Describes how names in the configuration lead to links. */
export interface LinkResolver {
  /** Name of the link that a name or an alias stands for; the name itself while there is none. */
  nameOf(name: string): string;
  indexOf(name: string): number | undefined;
}

type Values = Parameters<typeof LinkSpec.spec>[0];

/** Returns what the configuration says about links: one spec for each, whatever number of places say something about it. */
export function linkSpecs(
  config: Config | undefined,
  devices: readonly Device[],
  resolver: LinkResolver,
): readonly LinkSpecSpec[] {
  const links = new Map<string, LinkSpecSpec>();

  function add(given: string, values: Values): void {
    const name = resolver.nameOf(given);
    const known = links.get(name) ?? LinkSpec.spec({ name, up: true, layer: "configuration" });
    links.set(name, { ...known, ...only(LinkSpec.spec(values), values) });
  }
  const ports = (names: readonly string[] | undefined, membership: (position: number) => Values): void =>
    (names ?? []).forEach((name, position) => add(name, membership(position)));

  for (const device of devices.filter(({ ignore }) => ignore !== true)) addDevice(device, { add, ports, resolver });
  if (config === undefined) return [...links.values()];

  for (const document of documentsOf(config, linkConfig)) add(document.name ?? "", common(document));
  for (const document of documentsOf(config, dummyLinkConfig)) {
    add(document.name ?? "", { ...common(document), ...made("dummy"), ...hardware(document) });
  }
  for (const document of documentsOf(config, vlanConfig)) {
    const { parent = "", vlanID = 0, vlanMode = "802.1q" } = document;
    const vlan = { vlanID, vlanProtocol: vlanMode };
    add(document.name ?? "", { ...common(document), ...made("vlan"), parentName: resolver.nameOf(parent), vlan });
  }
  for (const document of documentsOf(config, bondConfig)) {
    const { name: masterName = "" } = document;
    add(masterName, {
      ...common(document),
      ...made("bond"),
      ...hardware(document),
      bondMaster: documentBond(document),
    });
    ports(document.links, (slaveIndex) => ({ bondSlave: { masterName, slaveIndex } }));
  }
  for (const document of documentsOf(config, bridgeConfig)) {
    const { name: masterName = "", stp, vlan } = document;
    const bridgeMaster = {
      stp: { enabled: stp?.enabled ?? false },
      vlan: { filteringEnabled: vlan?.filtering ?? false },
    };
    add(masterName, { ...common(document), ...made("bridge"), ...hardware(document), bridgeMaster });
    ports(document.links, () => ({ bridgeSlave: { masterName } }));
  }
  for (const document of documentsOf(config, vrfConfig)) {
    const { name: masterName = "", table = "unspec" } = document;
    const vrfMaster = { table: table as LinkSpecSpec["vrfMaster"]["table"] };
    add(masterName, { ...common(document), ...made("vrf"), ...hardware(document), vrfMaster });
    ports(document.links, () => ({ vrfSlave: { masterName } }));
  }
  for (const document of documentsOf(config, wireguardConfig)) {
    add(document.name ?? "", { ...common(document), ...madeWireguard, wireguard: configuredWireguard(document) });
  }
  return [...links.values()];
}

interface Adding {
  readonly resolver: LinkResolver;
  readonly add: (name: string, values: Values) => void;
  readonly ports: (names: readonly string[] | undefined, membership: (position: number) => Values) => void;
}

function addDevice(device: Device, { add, ports, resolver }: Adding): void {
  const { interface: name = "", mtu = 0, bond, bridge, bridgePort, vlans = [], dummy, wireguard } = device;
  add(name, { ...(mtu === 0 ? {} : { mtu }), ...(dummy === true ? made("dummy") : {}) });
  if (wireguard !== undefined) add(name, { ...madeWireguard, wireguard: configuredWireguard(wireguard) });
  if (bond !== undefined) {
    add(name, { ...made("bond"), bondMaster: legacyBond(bond, (link) => resolver.indexOf(link)) });
    ports(bond.interfaces, (slaveIndex) => ({ bondSlave: { masterName: name, slaveIndex } }));
  }
  if (bridge !== undefined) {
    const bridgeMaster = {
      stp: { enabled: bridge.stp?.enabled ?? false },
      vlan: { filteringEnabled: bridge.vlan?.vlanFiltering ?? false },
    };
    add(name, { ...made("bridge"), bridgeMaster });
    ports(bridge.interfaces, () => ({ bridgeSlave: { masterName: name } }));
  }
  if (bridgePort?.master !== undefined) add(name, { bridgeSlave: { masterName: bridgePort.master } });
  for (const vlan of vlans) {
    const vlanID = vlan.vlanId ?? 0;
    add(`${name}.${String(vlanID)}`, {
      ...made("vlan"),
      ...((vlan.mtu ?? 0) === 0 ? {} : { mtu: vlan.mtu ?? 0 }),
      parentName: resolver.nameOf(name),
      vlan: { vlanID, vlanProtocol: "802.1q" },
    });
  }
}

/** A link that exists because the configuration says so. */
function made(kind: string): Values {
  return { logical: true, kind, type: "ether" };
}

/** Packets of WireGuard have no header of a link. */
const madeWireguard: Values = { logical: true, kind: "wireguard", type: "nohdr" };

function common({ up, mtu, multicast }: Pick<DocumentOf<typeof linkConfig>, "up" | "mtu" | "multicast">): Values {
  return {
    ...(up === undefined ? {} : { up }),
    ...(mtu === undefined ? {} : { mtu }),
    ...(multicast === undefined ? {} : { multicast }),
  };
}

function hardware({ hardwareAddr }: { readonly hardwareAddr?: string | undefined }): Values {
  return hardwareAddr === undefined ? {} : { hardwareAddr };
}

/** The fields that were given, in the form they have in a spec. */
function only(spec: LinkSpecSpec, given: Values): Partial<LinkSpecSpec> {
  return Object.fromEntries(Object.keys(given ?? {}).map((key) => [key, spec[key as keyof LinkSpecSpec]]));
}
