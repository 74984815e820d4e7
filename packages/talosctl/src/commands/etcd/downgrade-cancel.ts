import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { recordFormatOption } from "../../output/records.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";
import { printDowngrade } from "./print-downgrade.ts";

export const command: CommandDefinition = {
  description: "Ends a downgrade that was begun.",
  options: [recordFormatOption],
  examples: ["talosctl etcd downgrade cancel"],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd downgrade cancel");
    const call = session.all(MachineService).etcdDowngradeCancel({}, { signal: invocation.signal });
    const answers = (await session.answers("calling etcd downgrade cancel", call)).map((message) => ({
      node: session.nodeOf(message),
      clusterDowngrade: message.clusterDowngrade,
    }));
    await printDowngrade(invocation, "cancel", answers);
  },
};
