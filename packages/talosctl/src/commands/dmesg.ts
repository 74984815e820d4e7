import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { printLines } from "../session/print-lines.ts";
import { openSession } from "../session/session.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  options: [
    { flags: "-f, --follow", description: "go on as the kernel writes" },
    { flags: "--tail", description: "only what is written from now on (with --follow)" },
  ],
  examples: ["talosctl dmesg -n 10.5.0.2", "talosctl dmesg --follow --tail -n 10.5.0.2,10.5.0.3"],
  async run(invocation) {
    const { signal } = invocation;
    await using session = await openSession(invocation);
    const request = { follow: flag(invocation, "follow"), tail: flag(invocation, "tail") };
    const stream = session.all(MachineService).dmesg(request, { signal });
    await printLines(session, invocation, stream);
  },
};
