import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";

export const command: CommandDefinition = {
  description: "Removes the member on the node from the cluster, stops etcd there and deletes its data.",
  examples: ["talosctl etcd leave --nodes 10.5.0.4"],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd leave");
    await session.answers(
      "leaving etcd cluster",
      session.all(MachineService).etcdLeaveCluster({}, { signal: invocation.signal }),
    );
  },
};
