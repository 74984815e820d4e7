import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { suggestLogs } from "../completion/suggest.ts";
import { containerdNamespace, kubernetesOption } from "./containerd-namespace.ts";
import { printLines } from "../session/print-lines.ts";
import { openSession } from "../session/session.ts";
import { flag, integerOption } from "../values.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<id>", description: "name of a service, or of a container", suggest: suggestLogs }],
  options: [
    { flags: "-f, --follow", description: "go on as new lines are written" },
    kubernetesOption,
    { flags: "--tail <lines>", description: "lines to show (all of them when negative)", default: "-1" },
  ],
  examples: ["talosctl logs kubelet --tail 20", "talosctl logs -f machined"],
  async run(invocation) {
    const { args, signal } = invocation;
    await using session = await openSession(invocation);
    const stream = session.all(MachineService).logs(
      {
        ...containerdNamespace(invocation),
        id: args[0] ?? "",
        follow: flag(invocation, "follow"),
        tailLines: integerOption(invocation, "tail") ?? -1,
      },
      { signal },
    );
    await printLines(session, invocation, stream);
  },
};
