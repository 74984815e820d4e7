import { formatTable } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { byId, containerdNamespace, containerLabel, kubernetesOption } from "./containerd-namespace.ts";

export const command: CommandDefinition = {
  options: [kubernetesOption],
  examples: ["talosctl containers -k"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).containers(containerdNamespace(invocation), { signal: invocation.signal });
    const rows = (await session.answers("getting container list", call)).flatMap((message) =>
      message.containers
        .toSorted(byId)
        .map((each) => [
          session.nodeOf(message),
          each.namespace,
          containerLabel(each),
          each.image,
          String(each.pid),
          each.status,
        ]),
    );
    invocation.io.out(formatTable([["NODE", "NAMESPACE", "ID", "IMAGE", "PID", "STATUS"], ...rows]));
  },
};
