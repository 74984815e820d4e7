import { formatTable } from "@talos-ts/base";
import type { ProcessInfo } from "@talos-ts/proto/machine/container";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { commandLine } from "../output/command-line.ts";
import { humanBytes } from "../output/humanize.ts";
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
  ],
  async run(invocation) {
    await using session = await openSession(invocation);
    const order = orders[textOption(invocation, "sort") ?? "rss"];
    const messages = await session.answers(
      "getting processes",
      session.all(MachineService).processes({}, { signal: invocation.signal }),
    );
    const rows = messages.flatMap((message) =>
      message.processes
        .toSorted(order)
        .map((each) => [
          session.nodeOf(message),
          String(each.pid),
          each.state,
          String(each.threads),
          each.cpuTime.toFixed(2),
          humanBytes(each.virtualMemory),
          humanBytes(each.residentMemory),
          each.label,
          commandLine(each),
        ]),
    );
    const header = ["NODE", "PID", "STATE", "THREADS", "CPU-TIME", "VIRTMEM", "RESMEM", "LABEL", "COMMAND"];
    invocation.io.out(formatTable([header, ...rows], 2));
  },
};
