import { parseMemberId } from "@talos-ts/machinery/etcd";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";

export const command: CommandDefinition = {
  description:
    "Removes a member whose node is gone or broken, with the help of another node. Prefer `etcd leave` wherever the node still works.",
  arguments: [{ spec: "<member-id>", description: "as `talosctl etcd members` prints it" }],
  examples: ["talosctl etcd remove-member 0d1163991c325338 --nodes 10.5.0.2"],
  async run(invocation) {
    const memberId = parseMemberId(invocation.args[0] ?? "");
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd remove-member", invocation.args);
    await session.answers(
      "removing etcd member",
      session.all(MachineService).etcdRemoveMemberByID({ memberId }, { signal: invocation.signal }),
    );
  },
};
