import { isIPv4 } from "node:net";
import { linkKinds, type Config } from "@talos-ts/machinery/config";
import type { Device } from "./devices.ts";

/** Describes what the configuration says about the addresses and routes of a link. */
export interface ConfiguredLink {
  readonly name: string;
  readonly addresses: readonly { readonly address: string; readonly priority: number }[];
  readonly routes: readonly ConfiguredRoute[];
}

export interface ConfiguredRoute {
  /** Empty for the default route. */
  readonly destination: string;
  readonly gateway: string;
  readonly source: string;
  /** 0 for the default. */
  readonly metric: number;
  readonly mtu: number;
  readonly table: string;
}

interface LinkDocument {
  readonly addresses?: readonly { readonly address?: string; readonly routePriority?: number }[];
  readonly routes?: readonly {
    readonly destination?: string;
    readonly gateway?: string;
    readonly source?: string;
    readonly metric?: number;
    readonly mtu?: number;
    readonly table?: string;
  }[];
}

/** Links of `machine.network`, then those of documents. */
export function configuredLinks(config: Config | undefined, devices: readonly Device[]): readonly ConfiguredLink[] {
  const named = devices.filter(({ ignore }) => ignore !== true);
  const links = named.map((device) => legacyLink(device.interface ?? "", device));
  const vlans = named.flatMap((device) =>
    (device.vlans ?? []).map((vlan) => legacyLink(`${device.interface ?? ""}.${String(vlan.vlanId ?? 0)}`, vlan)),
  );
  const documents = (config?.documents ?? [])
    .filter(({ kind }) => linkKinds.includes(kind))
    .map(({ name, value }) => documentLink(name, value as LinkDocument));
  return [...links, ...vlans, ...documents];
}

function legacyLink(
  name: string,
  { addresses, cidr, routes }: Pick<Device, "addresses" | "cidr" | "routes">,
): ConfiguredLink {
  const given = addresses ?? (cidr === undefined ? [] : [cidr]);
  return {
    name,
    addresses: given.map((address) => ({ address: withLength(address), priority: 0 })),
    routes: (routes ?? []).map(({ network = "", gateway = "", source = "", metric = 0, mtu = 0 }) => ({
      destination: network,
      gateway,
      source,
      metric,
      mtu,
      table: "main",
    })),
  };
}

function documentLink(name: string, { addresses = [], routes = [] }: LinkDocument): ConfiguredLink {
  return {
    name,
    addresses: addresses.map(({ address = "", routePriority = 0 }) => ({ address, priority: routePriority })),
    routes: routes.map(({ destination = "", gateway = "", source = "", metric = 0, mtu = 0, table = "main" }) => ({
      destination,
      gateway,
      source,
      metric,
      mtu,
      table,
    })),
  };
}

/** A bare address stands for itself alone. */
function withLength(address: string): string {
  if (address.includes("/")) return address;
  return `${address}/${isIPv4(address) ? "32" : "128"}`;
}
