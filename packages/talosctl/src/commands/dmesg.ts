import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { createLineSplitter } from "../output/line-splitter.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  options: [
    { flags: "-f, --follow", description: "go on as the kernel writes" },
    { flags: "--tail", description: "only what is written from now on (with --follow)" },
  ],
  async run(invocation) {
    const { io, signal } = invocation;
    await using session = await openSession(invocation);
    const request = { follow: flag(invocation, "follow"), tail: flag(invocation, "tail") };
    const stream = session.all(MachineService).dmesg(request, { signal });
    const lines = createLineSplitter((node, line) => io.out(`${node}: ${line}\n`));
    try {
      await readStream(session, stream, signal, (message, node) => lines.add(node, message.bytes));
    } finally {
      lines.flush();
    }
  },
};
