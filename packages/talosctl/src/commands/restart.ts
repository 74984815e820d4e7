import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { containerdNamespace, kubernetesOption } from "./containerd-namespace.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<id>", description: "id of a container" }],
  options: [kubernetesOption],
  examples: ["talosctl restart -k kube-system/kube-scheduler-cp-1:kube-scheduler"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const request = { ...containerdNamespace(invocation), id: invocation.args[0] ?? "" };
    const call = session.all(MachineService).restart(request, { signal: invocation.signal });
    await session.answers("restarting container", call);
  },
};
