import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<path>", description: "file on the machine" }],
  examples: ["talosctl read /proc/cmdline"],
  async run(invocation) {
    const { args, io, signal } = invocation;
    await using session = await openSession(invocation);
    checkOneNode(session, "read", args);
    const stream = session.all(MachineService).read({ path: args[0] ?? "" }, { signal });
    await readStream(session, stream, signal, async (message) => {
      io.out(message.bytes);
      await io.drained?.(signal);
    });
  },
};
