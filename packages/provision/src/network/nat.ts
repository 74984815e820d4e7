import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "@talos-ts/host";
import type { ClusterIdentity } from "../cluster-identity.ts";
import type { ClusterPlan } from "../cluster-plan.ts";
import { layout } from "../container/node-layout.ts";

/**
 * Lets nodes reach beyond the host: their addresses are replaced by the host's on the way out.
 *
 * The rules live in one table of the cluster, so that removing the table removes all of it. Rules that are there already
 * are replaced.
 */
export async function enableNat(plan: ClusterPlan, signal?: AbortSignal): Promise<void> {
  await nft(plan, natRules(plan), signal);
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
}

/** Removes the rules; works also when there are none. */
export async function disableNat(cluster: ClusterIdentity): Promise<void> {
  await nft(cluster, noRules(cluster));
}

/** Declaring the table first makes deleting it right whether it exists or not. */
function noRules({ bridge }: ClusterIdentity): string {
  return `table ip ${bridge} {}\ndelete table ip ${bridge}\n`;
}

export function natRules(plan: ClusterPlan): string {
  const { bridge } = plan;
  const { subnet } = plan.network;
  return `${noRules(plan)}table ip ${bridge} {
  chain postrouting {
    type nat hook postrouting priority srcnat;
    ip saddr ${subnet} oifname != "${bridge}" masquerade
  }
  chain forward {
    type filter hook forward priority filter;
    iifname "${bridge}" accept
    oifname "${bridge}" ct state established,related accept
  }
}
`;
}

/** The image brings its own `nft`, so the host needs none; it runs with the libraries it was built with. */
async function nft(cluster: ClusterIdentity, rules: string, signal?: AbortSignal): Promise<void> {
  const root = layout.rootfs(cluster);
  const libraries = join(root, "usr/lib");
  const triplet = (await readdir(libraries)).find((name) => name.endsWith("-linux-gnu")) ?? "";
  const folder = join(libraries, triplet);
  const loader = (await readdir(folder)).find((name) => name.startsWith("ld-linux")) ?? "";
  await runTool(join(folder, loader), ["--library-path", folder, join(root, "usr/sbin/nft"), "-f", "-"], {
    input: rules,
    ...(signal === undefined ? {} : { signal }),
  });
}
