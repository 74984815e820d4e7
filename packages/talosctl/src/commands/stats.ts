import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { byId, containerdNamespace, containerLabel, kubernetesOption } from "./containerd-namespace.ts";

export const command: CommandDefinition = {
  options: [kubernetesOption, recordFormatOption],
  examples: ["talosctl stats", "talosctl stats -k -o json --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).stats(containerdNamespace(invocation), { signal: invocation.signal });
    const records = (await session.answers("getting stats", call)).flatMap((message) =>
      message.stats.toSorted(byId).map((each): StatsRecord => ({
        node: session.nodeOf(message),
        namespace: each.namespace,
        id: each.id,
        podId: each.podId,
        label: containerLabel(each),
        memoryBytes: Number(each.memoryUsage),
        cpuUsage: String(each.cpuUsage),
      })),
    );
    await printRecords(invocation, columns, records);
  },
};

interface StatsRecord {
  readonly node: string;
  readonly namespace: string;
  readonly id: string;
  readonly podId: string;
  /** The id, drawn below its pod. */
  readonly label: string;
  readonly memoryBytes: number;
  /** Nanoseconds; too large for a number of JSON. */
  readonly cpuUsage: string;
}

const columns: readonly Column<StatsRecord>[] = [
  ["NODE", ({ node }) => node],
  ["NAMESPACE", ({ namespace }) => namespace],
  ["ID", ({ label }) => label],
  ["MEMORY(MB)", ({ memoryBytes }) => (memoryBytes / 1e6).toFixed(2)],
  ["CPU", ({ cpuUsage }) => cpuUsage],
];
