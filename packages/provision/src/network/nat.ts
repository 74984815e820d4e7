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
  if (plan.exposedPorts === undefined) return;
  // Packets from 127.0.0.1 may leave through the bridge; `ip-sysctl` of the kernel: route_localnet.
  await writeFile(`/proc/sys/net/ipv4/conf/${plan.bridge}/route_localnet`, "1");
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
  const exposed = exposedRules(plan);
  return `${noRules(plan)}table ip ${bridge} {
  chain postrouting {
    type nat hook postrouting priority srcnat;
    ip saddr ${subnet} oifname != "${bridge}" masquerade${exposed.length === 0 ? "" : loopbackRule(bridge)}
  }
  chain forward {
    type filter hook forward priority filter;
    iifname "${bridge}" accept
    oifname "${bridge}" ct state established,related accept${exposed.length === 0 ? "" : exposedForward(bridge)}
  }${exposed.length === 0 ? "" : exposedChains(exposed)}
}
`;
}

/** Connections from the host itself come from 127.0.0.1, which nodes could not answer. */
const loopbackRule = (bridge: string): string => `\n    ip saddr 127.0.0.0/8 oifname "${bridge}" masquerade`;
const exposedForward = (bridge: string): string => `\n    oifname "${bridge}" ct status dnat accept`;

/** Connections from outside pass `prerouting`, those of the host itself `output`. */
const exposedChains = (rules: readonly string[]): string =>
  ["prerouting", "output"]
    .map((hook) => `\n  chain ${hook} {\n    type nat hook ${hook} priority dstnat;\n    ${rules.join("\n    ")}\n  }`)
    .join("");

function exposedRules({ nodes, exposedPorts = [], hostIp }: ClusterPlan): string[] {
  const target = nodes.find(({ type }) => type === "controlplane")?.address ?? "";
  const destination = hostIp === undefined ? "fib daddr type local" : `ip daddr ${hostIp}`;
  return exposedPorts.map(
    ({ hostPort, nodePort, protocol }) =>
      `${destination} ${protocol} dport ${String(hostPort)} dnat to ${target}:${String(nodePort)}`,
  );
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
