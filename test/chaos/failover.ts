import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually } from "../integration/cluster-support.ts";
import type { ChaosCluster } from "./chaos-cluster.ts";
import type { FaultContext } from "./fault.ts";

const run = promisify(execFile);
const limitMs = 120_000;
const kubePrismPort = 7445;

/**
 * Shows that nobody misses a node that is off: `kubectl` works through the load balancer, KubePrism on every other node, and the other
 * members of etcd have a leader.
 */
export async function proveFailover({ cluster, node, others }: FaultContext): Promise<void> {
  const nodes = () => kubectl(cluster, "get", "nodes", "--output", "name").catch(String);
  await eventually(nodes, (text) => text.includes(`node/${node.name}`), limitMs);
  await eventually(
    () => cluster.leader(),
    (leader) => leader !== undefined && leader !== node,
    limitMs,
  );
  for (const other of others) {
    const pid = await cluster.init(other);
    await eventually(
      () => askKubePrism(cluster, pid).catch(String),
      (answer) => answer === "ok",
      limitMs,
    );
  }
  if ((await cluster.init(node)) !== 0) throw new Error(`${node.name} runs, so that nothing was shown`);
}

async function kubectl({ home, plan }: ChaosCluster, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: home.path, KUBECONFIG: join(home.path, ".kube/config") };
  const words = ["--request-timeout=10s", ...args];
  return (await run(join(plan.directory, "kubectl"), words, { env, timeout: 60_000 })).stdout;
}

/** Asks with the credentials in the environment, and prints the answer. */
const program = `
  const { ca, cert, key } = JSON.parse(process.env.ACCESS);
  const options = { host: "127.0.0.1", port: ${String(kubePrismPort)}, path: "/readyz", ca, cert, key, timeout: 5000 };
  const request = require("node:https").get(options, (answer) => answer.pipe(process.stdout));
  request.on("timeout", () => request.destroy(new Error("no answer within 5 s")));
`;

/** Asks the API server through KubePrism, in the network of a node. */
async function askKubePrism({ kubernetes }: ChaosCluster, pid: number): Promise<string> {
  const env = { PATH: process.env["PATH"], ACCESS: JSON.stringify(kubernetes) };
  const inside = ["--target", String(pid), "--net", process.execPath, "-e", program];
  return (await run("nsenter", inside, { env, timeout: 20_000 })).stdout;
}
