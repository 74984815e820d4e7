import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";
import type { Network, Networks } from "@talos-ts/linux";
import { prefixesOverlap } from "@talos-ts/base/net";
import type { ClusterIdentity } from "../cluster-identity.ts";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";

/** Makes the bridge all nodes are on, with the gateway's address, or what is missing of it. */
export async function ensureBridge(network: Network, plan: ClusterPlan): Promise<void> {
  const { bridge } = plan;
  const { gateway, prefixLength, mtu } = plan.network;
  const link =
    (await network.link(bridge)) ??
    (await network.createLink({ name: bridge, info: { kind: "bridge", stp: false }, mtu }));
  if (link === undefined) throw noLink(bridge);
  await network.addAddress({ address: `${gateway}/${prefixLength}`, linkIndex: link.index }, { replace: true });
  await network.changeLink(link.index, { up: true });
}

/** Gives a running node back a cable that was taken away, or that lies loose because the bridge was. */
export async function ensureCable(networks: Networks, plan: ClusterPlan, node: NodePlan, pid: number): Promise<void> {
  const cable = await networks.here.link(node.link);
  const master = await networks.here.link(plan.bridge);
  if (cable === undefined || master === undefined) return attachNode(networks, plan, node, pid);
  if (cable.masterIndex === master.index) return;
  await networks.here.changeLink(cable.index, { masterIndex: master.index, up: true });
}

/** Takes away the cable of a node that has ended; its namespace may outlive it for a moment, and the cable with it. */
export async function removeCable(network: Network, node: NodePlan): Promise<void> {
  const cable = await network.link(node.link);
  if (cable !== undefined) await network.deleteLink(cable.index).catch(() => {});
}

/** Puts a cable between the bridge and the namespace of a process, which finds a configured `eth0` and a route. */
export async function attachNode(networks: Networks, plan: ClusterPlan, node: NodePlan, pid: number): Promise<void> {
  const { bridge } = plan;
  const { gateway, prefixLength, mtu } = plan.network;
  const master = await networks.here.link(bridge);
  if (master === undefined) throw noLink(bridge);
  await networks.here.createLink({
    name: node.link,
    info: { kind: "veth", peer: { name: "eth0", hardwareAddress: node.hardwareAddress, networkNamespace: { pid } } },
    masterIndex: master.index,
    mtu,
    up: true,
  });
  using inside = await networks.open(`/proc/${pid}/ns/net`);
  const cable = await inside.link("eth0");
  if (cable === undefined) throw noLink("eth0");
  await inside.changeLink(cable.index, { mtu, up: true });
  await inside.addAddress({ address: `${node.address}/${prefixLength}`, linkIndex: cable.index });
  const loopback = await inside.link("lo");
  if (loopback !== undefined) await inside.changeLink(loopback.index, { up: true });
  await inside.addRoute({ gateway, linkIndex: cable.index });
}

/** Removes the links of a cluster; those that are gone already are no error. */
export async function removeLinks(network: Network, { bridge, linkPrefix }: ClusterIdentity): Promise<void> {
  const links = (await network.links()).filter(({ name }) => name === bridge || name.startsWith(linkPrefix));
  for (const { index } of links) {
    await network.deleteLink(index).catch(async (err: unknown) => {
      // A cable vanishes by itself as soon as the namespace at its other end is gone.
      if ((await network.link(index)) !== undefined) throw err;
    });
  }
}

/** The link of the host that already uses addresses of a subnet, if any. */
export async function linkInSubnet(
  network: Pick<Network, "addresses" | "link">,
  subnet: string,
): Promise<string | undefined> {
  for (const address of await network.addresses()) {
    const [own = ""] = address.address.split("/");
    if (isIP(own) !== 4 || !prefixesOverlap(address.address, subnet)) continue;
    return (await network.link(address.linkIndex))?.name ?? `link ${address.linkIndex}`;
  }
  return undefined;
}

function noLink(name: string): OsError {
  return new OsError({
    kind: "internal",
    code: "provision/no-link",
    message: `Cannot find network link "${name}" after creating it`,
  });
}
