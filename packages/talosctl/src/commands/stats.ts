import { formatTable } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { byId, containerdNamespace, containerLabel, kubernetesOption } from "./containerd-namespace.ts";

export const command: CommandDefinition = {
  options: [kubernetesOption],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).stats(containerdNamespace(invocation), { signal: invocation.signal });
    const rows = (await session.answers("getting stats", call)).flatMap((message) =>
      message.stats
        .toSorted(byId)
        .map((each) => [
          session.nodeOf(message),
          each.namespace,
          containerLabel(each),
          (Number(each.memoryUsage) / 1e6).toFixed(2),
          String(each.cpuUsage),
        ]),
    );
    invocation.io.out(formatTable([["NODE", "NAMESPACE", "ID", "MEMORY(MB)", "CPU"], ...rows]));
  },
};
