import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { recordFormatOption } from "../../output/records.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";
import { printDowngrade } from "./print-downgrade.ts";

export const command: CommandDefinition = {
  description: "Begins to make the storage one of an older version; then the members are replaced by older ones.",
  arguments: [{ spec: "<version>", description: "version of the storage, as 3.5" }],
  options: [recordFormatOption],
  examples: ["talosctl etcd downgrade enable 3.5"],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd downgrade enable", invocation.args);
    const call = session
      .all(MachineService)
      .etcdDowngradeEnable({ version: invocation.args[0] ?? "" }, { signal: invocation.signal });
    const answers = (await session.answers("calling etcd downgrade enable", call)).map((message) => ({
      node: session.nodeOf(message),
      clusterDowngrade: message.clusterDowngrade,
    }));
    await printDowngrade(invocation, "enable", answers);
  },
};
