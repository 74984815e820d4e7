import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { openSession } from "../../session/session.ts";
import { flag } from "../../values.ts";
import { parseMetaKey } from "./meta-key.ts";

export const command: CommandDefinition = {
  description: "Writes a value of the META partition, which keeps facts about a machine outside its configuration.",
  arguments: [
    { spec: "<key>", description: "number of the key, as in 0x0a" },
    { spec: "<value>", description: "text to keep" },
  ],
  options: [{ flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" }],
  examples: ["talosctl meta write 0x0a '{}' --nodes 10.5.0.2"],
  async run(invocation) {
    const [key = "", value = ""] = invocation.args;
    const request = { key: parseMetaKey(key), value: Buffer.from(value) };
    await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
    await session.answers(
      "writing meta",
      session.all(MachineService).metaWrite(request, { signal: invocation.signal }),
    );
  },
};
