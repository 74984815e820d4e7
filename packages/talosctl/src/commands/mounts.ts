import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  options: [recordFormatOption],
  examples: ["talosctl mounts", "talosctl mounts -o json --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).mounts({}, { signal: invocation.signal });
    const records = (await session.answers("getting mount information", call)).flatMap((message) =>
      message.stats
        .filter(({ size }) => size > 0n)
        .map(({ filesystem, size, available, mountedOn }): MountRecord => ({
          node: session.nodeOf(message),
          filesystem,
          sizeBytes: Number(size),
          usedBytes: Number(size - available),
          availableBytes: Number(available),
          mountedOn,
        })),
    );
    await printRecords(invocation, columns, records);
  },
};

interface MountRecord {
  readonly node: string;
  readonly filesystem: string;
  readonly sizeBytes: number;
  readonly usedBytes: number;
  readonly availableBytes: number;
  readonly mountedOn: string;
}

const gigabytes = (bytes: number): string => (bytes * 1e-9).toFixed(2);

const columns: readonly Column<MountRecord>[] = [
  ["NODE", ({ node }) => node],
  ["FILESYSTEM", ({ filesystem }) => filesystem],
  ["SIZE(GB)", ({ sizeBytes }) => gigabytes(sizeBytes)],
  ["USED(GB)", ({ usedBytes }) => gigabytes(usedBytes)],
  ["AVAILABLE(GB)", ({ availableBytes }) => gigabytes(availableBytes)],
  ["PERCENT USED", ({ sizeBytes, availableBytes }) => `${(100 - 100 * (availableBytes / sizeBytes)).toFixed(2)}%`],
  ["MOUNTED ON", ({ mountedOn }) => mountedOn],
];
