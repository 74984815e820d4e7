import { formatTable } from "@talos-ts/base";
import type { MountStat } from "@talos-ts/proto/machine/file";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).mounts({}, { signal: invocation.signal });
    const rows = (await session.answers("getting mount information", call)).flatMap((message) =>
      message.stats.filter(({ size }) => size > 0n).map((mount) => describe(session.nodeOf(message), mount)),
    );
    const header = ["NODE", "FILESYSTEM", "SIZE(GB)", "USED(GB)", "AVAILABLE(GB)", "PERCENT USED", "MOUNTED ON"];
    invocation.io.out(formatTable([header, ...rows]));
  },
};

function describe(node: string, { filesystem, size, available, mountedOn }: MountStat): string[] {
  const used = size - available;
  const percent = 100 - 100 * (Number(available) / Number(size));
  const gigabytes = (bytes: bigint): string => (Number(bytes) * 1e-9).toFixed(2);
  return [
    node,
    filesystem,
    gigabytes(size),
    gigabytes(used),
    gigabytes(available),
    `${percent.toFixed(2)}%`,
    mountedOn,
  ];
}
