import type { Network } from "@talos-ts/linux";
import type { ClusterIdentity } from "../cluster-identity.ts";

/** Hides the cluster's own bridge, which has an address of its subnet, from checks of that subnet. */
export async function visibleNetwork(
  here: Network,
  { bridge }: Pick<ClusterIdentity, "bridge">,
): Promise<Pick<Network, "addresses" | "link">> {
  const own = await here.link(bridge);
  return {
    addresses: async () => (await here.addresses()).filter(({ linkIndex }) => linkIndex !== own?.index),
    link: (which) => here.link(which),
  };
}
