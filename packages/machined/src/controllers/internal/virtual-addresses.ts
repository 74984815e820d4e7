import type { Config } from "@talos-ts/machinery/config";

const virtualAddressKinds: ReadonlySet<string> = new Set(["Layer2VIPConfig", "HCloudVIPConfig"]);

/** Addresses that move between nodes cannot name one of them. */
export function virtualAddresses(config: Config): readonly string[] {
  const links = (config.machine?.network?.interfaces ?? []).flatMap((link) => [[link], link.vlans ?? []].flat());
  const inMain = links.flatMap(({ vip }) => (vip?.ip === undefined ? [] : [vip.ip]));
  return [...inMain, ...config.documents.filter(({ kind }) => virtualAddressKinds.has(kind)).map(({ name }) => name)];
}
