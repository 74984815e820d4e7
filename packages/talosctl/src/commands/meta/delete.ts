import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { openSession } from "../../session/session.ts";
import { flag } from "../../values.ts";
import { parseMetaKey } from "./meta-key.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<key>", description: "number of the key, as in 0x0a" }],
  options: [{ flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" }],
  examples: ["talosctl meta delete 0x0a --nodes 10.5.0.2"],
  async run(invocation) {
    const key = parseMetaKey(invocation.args[0] ?? "");
    await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
    await session.answers(
      "deleting meta",
      session.all(MachineService).metaDelete({ key }, { signal: invocation.signal }),
    );
  },
};
