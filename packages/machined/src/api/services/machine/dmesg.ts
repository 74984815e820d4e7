import type { Clock } from "@talos-ts/base";
import type { KernelLogRecord, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

/** Names of the syslog facilities by number. */
const facilities: readonly string[] = (
  "kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp security console clock " +
  "local0 local1 local2 local3 local4 local5 local6 local7"
).split(" ");

export const dmesg = (machine: { readonly linux: Linux; readonly clock: Clock }): MachineMethod<"dmesg"> =>
  async function* ({ follow, tail }, { signal }) {
    const { uptimeSeconds } = await machine.linux.procfs.uptime();
    const bootMicroseconds = BigInt(Math.round((machine.clock.now() - uptimeSeconds * 1000) * 1000));
    const records = machine.linux.kernelLog.read({ follow, from: tail ? "end" : "start", signal });
    for await (const record of records) yield { bytes: Buffer.from(formatRecord(record, bootMicroseconds)) };
  };

/** One line as clients print it: `kern: warning: [2026-01-02T03:04:05.678901Z]: text`. */
export function formatRecord(record: KernelLogRecord, bootMicroseconds: bigint): string {
  const facility = facilities[record.facility] ?? String(record.facility);
  const time = formatTime(bootMicroseconds + record.timestampMicroseconds);
  return `${facility}: ${record.severity.padStart(7)}: [${time}]: ${record.text}\n`;
}

/** RFC 3339 with as many digits as there are, as Go writes it. */
function formatTime(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1_000_000n) * 1000).toISOString().slice(0, 19);
  const fraction = String(microseconds % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}
