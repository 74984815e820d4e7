import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "@talos-ts/host";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { HostFacts } from "./host-facts.ts";
import { layout, nodeFiles, volumes } from "./node-layout.ts";
import { ociSpec } from "./oci-spec.ts";

/** Makes the folder whose marker tells the system that it runs in a container. */
export async function prepareMarker(plan: ClusterPlan): Promise<void> {
  await mkdir(layout.marker(plan), { recursive: true, mode: 0o755 });
  await writeFile(join(layout.marker(plan), "in-container"), "");
}

/**
 * Makes everything of a node that its container needs: volumes, files and the description of the container. Volumes that
 * are there stay as they are; the rest is made anew, as the host may have changed.
 */
export async function prepareNode(
  plan: ClusterPlan,
  node: NodePlan,
  host: HostFacts,
  config: string | undefined,
): Promise<void> {
  const rootfs = layout.rootfs(plan);
  for (const [path, name] of Object.entries(volumes)) {
    const volume = layout.volume(plan, node, name);
    const made = await mkdir(volume, { recursive: true, mode: 0o755 });
    if (made !== undefined) await seedVolume(join(rootfs, path), volume);
  }
  for (const folder of [layout.file(plan, node, ""), layout.power(plan, node)]) {
    await mkdir(folder, { recursive: true, mode: 0o755 });
  }
  for (const name of nodeFiles) {
    await writeFile(layout.file(plan, node, name), fileContents[name](plan, node, host), { mode: 0o644 });
  }
  const spec = ociSpec({ plan, node, host, rootfs, config });
  // The description carries the node's configuration, and with it its secrets.
  await writeDurably(layout.container(plan, node), JSON.stringify(spec), 0o600);
}

/** A volume begins with what the image has at its place, as volumes of other container engines do. */
async function seedVolume(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((): string[] => []);
  if (names.length > 0) await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

type FileContent = (plan: ClusterPlan, node: NodePlan, host: HostFacts) => string;

const fileContents: Readonly<Record<(typeof nodeFiles)[number], FileContent>> = {
  hostname: (_plan, node) => `${node.name}\n`,
  hosts: (_plan, node) => `127.0.0.1 localhost\n::1 localhost\n${node.address} ${node.name}\n`,
  "resolv.conf": (_plan, _node, host) => host.nameservers.map((address) => `nameserver ${address}\n`).join(""),
};
