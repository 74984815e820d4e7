import type { ProcessInfo } from "@talos-ts/proto/machine/container";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { commandLine } from "../output/command-line.ts";
import { humanBytes } from "../output/humanize.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { textOption } from "../values.ts";

/** Largest first. */
const orders: Readonly<Record<string, (a: ProcessInfo, b: ProcessInfo) => number>> = {
  rss: (a, b) => Number(b.residentMemory - a.residentMemory),
  cpu: (a, b) => b.cpuTime - a.cpuTime,
};

export const command: CommandDefinition = {
  options: [
    { flags: "-s, --sort <column>", description: "what to sort by", choices: Object.keys(orders), default: "rss" },
    recordFormatOption,
  ],
  examples: ["talosctl processes --sort cpu", "talosctl processes -o json --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const order = orders[textOption(invocation, "sort") ?? "rss"];
    const messages = await session.answers(
      "getting processes",
      session.all(MachineService).processes({}, { signal: invocation.signal }),
    );
    const records = messages.flatMap((message) =>
      message.processes.toSorted(order).map((each): ProcessRecord => ({
        node: session.nodeOf(message),
        pid: each.pid,
        ppid: each.ppid,
        state: each.state,
        threads: each.threads,
        cpuTimeSeconds: each.cpuTime,
        virtualMemoryBytes: Number(each.virtualMemory),
        residentMemoryBytes: Number(each.residentMemory),
        label: each.label,
        command: commandLine(each),
      })),
    );
    await printRecords(invocation, columns, records, 2);
  },
};

interface ProcessRecord {
  readonly node: string;
  readonly pid: number;
  readonly ppid: number;
  readonly state: string;
  readonly threads: number;
  readonly cpuTimeSeconds: number;
  readonly virtualMemoryBytes: number;
  readonly residentMemoryBytes: number;
  readonly label: string;
  readonly command: string;
}

const columns: readonly Column<ProcessRecord>[] = [
  ["NODE", ({ node }) => node],
  ["PID", ({ pid }) => String(pid)],
  ["STATE", ({ state }) => state],
  ["THREADS", ({ threads }) => String(threads)],
  ["CPU-TIME", ({ cpuTimeSeconds }) => cpuTimeSeconds.toFixed(2)],
  ["VIRTMEM", ({ virtualMemoryBytes }) => humanBytes(virtualMemoryBytes)],
  ["RESMEM", ({ residentMemoryBytes }) => humanBytes(residentMemoryBytes)],
  ["LABEL", ({ label }) => label],
  ["COMMAND", ({ command: line }) => line],
];
