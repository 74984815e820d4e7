import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { TimeService } from "@talos-ts/proto/time/time";
import type { CommandDefinition } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { textOption } from "../values.ts";

export const command: CommandDefinition = {
  options: [{ flags: "--check <server>", description: "compare with this time server" }, recordFormatOption],
  examples: ["talosctl time", "talosctl time --check time.cloudflare.com -o json"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const server = textOption(invocation, "check");
    const client = session.all(TimeService);
    const call =
      server === undefined
        ? client.time({}, { signal: invocation.signal })
        : client.timeCheck({ server }, { signal: invocation.signal });
    const records = (await session.answers("fetching time", call)).map((message): TimeRecord => ({
      node: session.nodeOf(message),
      server: message.server,
      nodeTime: formatTime(message.localtime),
      serverTime: formatTime(message.remotetime),
    }));
    await printRecords(invocation, columns, records);
  },
};

interface TimeRecord {
  readonly node: string;
  readonly server: string;
  readonly nodeTime: string;
  readonly serverTime: string;
}

const columns: readonly Column<TimeRecord>[] = [
  ["NODE", ({ node }) => node],
  ["NTP-SERVER", ({ server }) => server],
  ["NODE-TIME", ({ nodeTime }) => nodeTime],
  ["NTP-SERVER-TIME", ({ serverTime }) => serverTime],
];

/** `2026-01-02 15:04:05.123456789 +0000 UTC` */
function formatTime(time: Timestamp | undefined): string {
  if (time === undefined) return "-";
  const seconds = timestampDate(time).toISOString().slice(0, 19).replace("T", " ");
  const fraction = String(time.nanos).padStart(9, "0").replace(/0+$/, "");
  return `${seconds}${fraction === "" ? "" : `.${fraction}`} +0000 UTC`;
}
