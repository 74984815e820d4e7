import { once } from "node:events";
import { isIP } from "node:net";
import { hostPort, logLine, systemClock } from "@talos-ts/base";
import { createBalancer, probeTcp, type Probe } from "@talos-ts/host/balancer";
import { probeApiServer } from "@talos-ts/kubernetes";
import { apidPort, defaultControlPlanePort } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, textOption } from "../../values.ts";

/** Ports that are balanced, and how a server on each is probed. */
const ports: readonly (readonly [port: number, probe: Probe])[] = [
  [defaultControlPlanePort, probeApiServer],
  [apidPort, probeTcp],
];

/** Short, as these nodes are one bridge away: a lost control plane is left within seconds. */
const times = { intervalMs: 5000, retryMs: 1000, timeoutMs: 4000, dialTimeoutMs: 2000 } as const;

export const command: CommandDefinition = {
  description:
    "Runs the load balancer of a local cluster with several control planes; `cluster create` and `cluster start` do it.",
  options: [
    { flags: "--listen <address>", description: "address to listen on", required: true },
    { flags: "--upstreams <addresses>", description: "addresses of the control planes", required: true },
    { flags: "--cluster-directory <folder>", description: "folder of the cluster it is for", required: true },
  ],
  talksToNodes: false,
  async run(invocation) {
    const host = textOption(invocation, "listen") ?? "";
    if (isIP(host) === 0) throw badFlag("listen", host, "an IP address");
    const addresses = (textOption(invocation, "upstreams") ?? "").split(",");
    const bad = addresses.find((address) => isIP(address) === 0);
    if (bad !== undefined) throw badFlag("upstreams", bad, "IP addresses, separated by commas");
    await using balancers = new AsyncDisposableStack();
    for (const [port, probe] of ports) {
      const balancer = balancers.use(await createBalancer({ host, port, clock: systemClock, probe, ...times }));
      balancer.follow(addresses.map((address) => ({ host: address, port })));
      invocation.io.out(`${logLine(`balances ${hostPort(host, port)} over ${addresses.join(", ")}`, new Date())}\n`);
    }
    if (!invocation.signal.aborted) await once(invocation.signal, "abort");
  },
};
