import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { byId, containerdNamespace, containerLabel, kubernetesOption } from "./containerd-namespace.ts";

export const command: CommandDefinition = {
  options: [kubernetesOption, recordFormatOption],
  examples: ["talosctl containers -k", "talosctl containers -o json"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).containers(containerdNamespace(invocation), { signal: invocation.signal });
    const records = (await session.answers("getting container list", call)).flatMap((message) =>
      message.containers.toSorted(byId).map(({ namespace, id, podId, name, image, pid, status }): ContainerRecord => ({
        node: session.nodeOf(message),
        namespace,
        id,
        podId,
        name,
        image,
        pid,
        status,
      })),
    );
    await printRecords(invocation, columns, records);
  },
};

interface ContainerRecord {
  readonly node: string;
  readonly namespace: string;
  readonly id: string;
  /** That of its pod; its own id for the pod itself. */
  readonly podId: string;
  readonly name: string;
  readonly image: string;
  readonly pid: number;
  readonly status: string;
}

const columns: readonly Column<ContainerRecord>[] = [
  ["NODE", ({ node }) => node],
  ["NAMESPACE", ({ namespace }) => namespace],
  ["ID", containerLabel],
  ["IMAGE", ({ image }) => image],
  ["PID", ({ pid }) => String(pid)],
  ["STATUS", ({ status }) => status],
];
