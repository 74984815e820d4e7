import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { formatTable } from "@talos-ts/base";
import { TimeService } from "@talos-ts/proto/time/time";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { textOption } from "../values.ts";

export const command: CommandDefinition = {
  options: [{ flags: "--check <server>", description: "compare with this time server" }],
  async run(invocation) {
    await using session = await openSession(invocation);
    const server = textOption(invocation, "check");
    const client = session.all(TimeService);
    const call =
      server === undefined
        ? client.time({}, { signal: invocation.signal })
        : client.timeCheck({ server }, { signal: invocation.signal });
    const rows = (await session.answers("fetching time", call)).map((message) => [
      session.nodeOf(message),
      message.server,
      formatTime(message.localtime),
      formatTime(message.remotetime),
    ]);
    invocation.io.out(formatTable([["NODE", "NTP-SERVER", "NODE-TIME", "NTP-SERVER-TIME"], ...rows]));
  },
};

/** `2026-01-02 15:04:05.123456789 +0000 UTC` */
function formatTime(time: Timestamp | undefined): string {
  if (time === undefined) return "-";
  const seconds = timestampDate(time).toISOString().slice(0, 19).replace("T", " ");
  const fraction = String(time.nanos).padStart(9, "0").replace(/0+$/, "");
  return `${seconds}${fraction === "" ? "" : `.${fraction}`} +0000 UTC`;
}
