import { runTool } from "@talos-ts/host";
import type { NodePlan } from "@talos-ts/provision";
import type { ChaosCluster } from "./chaos-cluster.ts";

/** A table of its own in the network of a node, before all other rules. */
const table = "inet chaos";

/** Rules of the chains of packets that come in and that go out, in the language of nft. */
export interface PacketRules {
  readonly incoming?: readonly string[];
  readonly outgoing?: readonly string[];
}

/** Never touched: a machine that is cut off still talks to itself. */
const loopback = (word: "iifname" | "oifname"): string => `${word} "lo" accept`;

/** The node whose packets are dropped, and the stack that takes how it is undone. */
export interface DropContext {
  readonly cluster: Pick<ChaosCluster, "init">;
  readonly node: NodePlan;
  readonly undo: AsyncDisposableStack;
}

/** Puts rules into the network of the node; they vanish with the fault, or with the node. */
export async function dropPackets(context: DropContext, rules: PacketRules): Promise<void> {
  const { cluster, node, undo } = context;
  const pid = await cluster.init(node);
  undo.defer(async () => {
    // A node that went down took its network with it.
    if (pid === (await cluster.init(node))) await nft(pid, `table ${table} {}\ndelete table ${table}\n`);
  });
  const chain = (name: string, hook: string, lines: readonly string[]): string =>
    `chain ${name} {\n type filter hook ${hook} priority -350;\n ${lines.join("\n ")}\n}\n`;
  const { incoming = [], outgoing = [] } = rules;
  await nft(
    pid,
    `table ${table} {\n${chain("incoming", "input", [loopback("iifname"), ...incoming])}${chain("outgoing", "output", [loopback("oifname"), ...outgoing])}${chain("through", "forward", [...incoming, ...outgoing])}}\n`,
  );
}

async function nft(pid: number, rules: string): Promise<void> {
  // The image of the node brings the program, so that this host needs none.
  await runTool("nsenter", ["--target", String(pid), "--mount", "--net", "/usr/sbin/nft", "-f", "-"], { input: rules });
}
