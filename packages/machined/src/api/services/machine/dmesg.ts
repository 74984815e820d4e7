import type { Clock } from "@talos-ts/base";
import type { KernelLogRecord, Linux } from "@talos-ts/linux";
import type { LogRing } from "../../../logs/log-ring.ts";
import { facilityName } from "../../../logs/syslog-facilities.ts";
import { afterLine, joinLines, mergeArriving, mergeByTime } from "../../support/message-lines.ts";
import type { MachineMethod } from "./method.ts";

/** Length of a message with several lines, in bytes. */
const pieceBytes = 16 * 1024;

interface DmesgDependencies {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly messages: LogRing;
}

/**
 * The kernel log, with the machine's own messages among it by time: a container shares the kernel of its host and must not write
 * into the host's log, so they are kept beside it.
 */
export const dmesg = ({ linux, clock, messages }: DmesgDependencies): MachineMethod<"dmesg"> =>
  async function* ({ follow, tail }, { signal }) {
    const { uptimeSeconds } = await linux.procfs.uptime();
    const bootMicroseconds = BigInt(Math.round((clock.now() - uptimeSeconds * 1000) * 1000));
    let lastSequence = -1n;
    let lastMessage = "";
    if (!tail) {
      const own = messages.lastLines(-1);
      lastMessage = own.at(-1) ?? "";
      // Read as the caller takes it: what one who does not read keeps open must stay small.
      const kernel = async function* (): AsyncGenerator<string> {
        for await (const record of linux.kernelLog.read({ signal })) {
          lastSequence = record.sequence;
          yield formatRecord(record, bootMicroseconds);
        }
      };
      for await (const bytes of joinLines(mergeByTime(kernel(), own), pieceBytes)) yield { bytes };
    }
    if (!follow) return;

    async function* kernelLines(): AsyncGenerator<string> {
      const records = linux.kernelLog.read({ follow, from: tail ? "end" : "start", signal });
      for await (const record of records) {
        if (record.sequence > lastSequence) yield formatRecord(record, bootMicroseconds);
      }
    }
    async function* ownLines(): AsyncGenerator<string> {
      const read = messages.read({ follow, tailLines: tail ? 0 : -1, signal });
      for await (const chunk of afterLine(read, lastMessage)) yield chunk;
    }
    for await (const line of mergeArriving([kernelLines(), ownLines()])) yield { bytes: Buffer.from(`${line}\n`) };
  };

/** One line as clients print it, without its end: `kern: warning: [2026-01-02T03:04:05.678901Z]: text`. */
export function formatRecord(record: KernelLogRecord, bootMicroseconds: bigint): string {
  const facility = facilityName(record.facility);
  const time = formatTime(bootMicroseconds + record.timestampMicroseconds);
  return `${facility}: ${record.severity.padStart(7)}: [${time}]: ${record.text}`;
}

/** RFC 3339 with as many digits as there are, as Go writes it. */
function formatTime(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1_000_000n) * 1000).toISOString().slice(0, 19);
  const fraction = String(microseconds % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}
