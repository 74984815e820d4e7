import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";

export const command: CommandDefinition = {
  description:
    "Gives unused space of the database file back. The member answers nothing meanwhile, so defragment one node at a time, and only when necessary.",
  examples: ["talosctl etcd defrag --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd defrag");
    await session.answers(
      "defragmenting etcd",
      session.all(MachineService).etcdDefragment({}, { signal: invocation.signal }),
    );
  },
};
