import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { KernelClock } from "@talos-ts/linux";
import { queryTime } from "./query-time.ts";
import { resolveTimeServer } from "./time-server.ts";

export const defaultTimeServer = "time.cloudflare.com";

export interface ClockComparison {
  readonly server: string;
  readonly localtime: Timestamp;
  readonly remotetime: { readonly seconds: bigint; readonly nanos: number };
}

/** Dependencies of `compareClock`. */
export interface CompareClockMachine {
  readonly clock: Clock;
  readonly linux: { readonly clock: KernelClock };
}

/**
 * Compares the clock of the machine with a time server, without changing it.
 * @throws {OsError} `time/no-server`, `time/query-failed`
 */
export async function compareClock(
  { clock, linux }: CompareClockMachine,
  server: string,
  signal: AbortSignal,
): Promise<ClockComparison> {
  if (server === "") {
    throw new OsError({
      kind: "invalid-argument",
      code: "time/no-server",
      message: "ntp server is required",
      next: `talosctl time --check ${defaultTimeServer}`,
    });
  }
  const query = async (): Promise<bigint> => {
    const [source] = await resolveTimeServer(server);
    if (source === undefined) throw new Error("no such host");
    return (await queryTime(source, { clock, kernelClock: linux.clock, signal })).time;
  };
  const nanoseconds = await query().catch((err: unknown) => {
    throw new OsError({
      kind: "unavailable",
      code: "time/query-failed",
      message: `error querying NTP server "${server}": ${describeError(err)}`,
      cause: err,
      next: "talosctl get timeservers",
    });
  });
  const remotetime = { seconds: nanoseconds / 1_000_000_000n, nanos: Number(nanoseconds % 1_000_000_000n) };
  return { server, localtime: timestampFromMs(clock.now()), remotetime };
}
