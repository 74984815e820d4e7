import { describeError } from "@talos-ts/base";
import { parseAuditRecord, type AuditRecord } from "@talos-ts/machinery/audit";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition, Invocation } from "../command.ts";
import { createLineSplitter } from "../output/line-splitter.ts";
import { recordFormatOption, wantsTable } from "../output/records.ts";
import { createRecordStream } from "../output/record-stream.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { flag, integerOption, textOption } from "../values.ts";
import { auditFilter } from "./audit-filter.ts";

export const command: CommandDefinition = {
  description:
    "Shows the calls that nodes served, from the logs of apid and trustd: when, by whom (fingerprint of the certificate and roles), which method, for which nodes, how long, with which status.",
  options: [
    { flags: "-f, --follow", description: "go on as calls are made" },
    { flags: "--tail <lines>", description: "lines of the log to look at (all of them when negative)", default: "-1" },
    { flags: "--method <text>", description: "only methods with this text in their name" },
    { flags: "--caller <fingerprint>", description: "only callers whose fingerprint begins so" },
    { flags: "--role <role>", description: "only callers with this role" },
    { flags: "--failed", description: "only calls that failed" },
    recordFormatOption,
  ],
  examples: [
    "talosctl audit --failed",
    "talosctl audit --method ApplyConfiguration -o json",
    "talosctl audit -f --role os:reader",
  ],
  async run(invocation) {
    const { signal } = invocation;
    const keeps = auditFilter({
      method: textOption(invocation, "method"),
      caller: textOption(invocation, "caller"),
      role: textOption(invocation, "role"),
      failed: flag(invocation, "failed"),
    });
    const show = await writerOf(invocation);
    await using session = await openSession(invocation);
    const follow = flag(invocation, "follow");
    const found: [node: string, call: AuditRecord][] = [];
    const use = follow ? show : (node: string, call: AuditRecord): void => void found.push([node, call]);
    const read = async (id: string): Promise<void> => {
      const request = { id, namespace: "system", follow, tailLines: integerOption(invocation, "tail") ?? -1 };
      const stream = session.all(MachineService).logs(request, { signal });
      const lines = createLineSplitter((node, line) => {
        const call = parseAuditRecord(line);
        if (call !== undefined && keeps(call)) use(node, call);
      });
      try {
        await readStream(session, stream, signal, (message, node) => lines.add(node, message.bytes));
      } catch (err) {
        if (!lacksDaemon(err)) throw err;
      } finally {
        lines.flush();
      }
    };
    const reading = daemons.map(read);
    try {
      // What one daemon has is shown also when the log of the other cannot be read, whichever is known first.
      if (!follow) await Promise.allSettled(reading);
      await Promise.all(reading);
    } finally {
      found.sort(([, a], [, b]) => a.time.localeCompare(b.time));
      for (const [node, call] of found) show(node, call);
    }
  },
};

/** Daemons that leave a line for each call. */
const daemons = ["apid", "trustd"] as const;

/** Reports whether nodes have no log only because they do not run the daemon: workers have no trustd. */
function lacksDaemon(err: unknown): boolean {
  return describeError(err)
    .split("; ")
    .every((text) => text.includes('log "trustd" was not registered'));
}

async function writerOf(invocation: Invocation): Promise<(node: string, call: AuditRecord) => void> {
  const { io } = invocation;
  if (!wantsTable(invocation)) {
    const write = await createRecordStream(invocation);
    return (node, call) => write({ node, ...call });
  }
  const widths = [15, 24, 16, 22, 48, 8, 6] as const;
  const row = (cells: readonly string[]): string =>
    `${cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  io.out(row(["NODE", "TIME", "CALLER", "ROLES", "METHOD", "MS", "STATUS", "FOR"]));
  return (node, call) =>
    io.out(
      row([
        node,
        call.time,
        call.caller === "" ? "-" : call.caller,
        call.roles.join(","),
        call.method,
        String(call.durationMs),
        call.status === 0 ? "OK" : call.error === "" ? String(call.status) : call.error,
        call.nodes.join(","),
      ]),
    );
}
