import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { describeError, OsError, type Clock } from "@talos-ts/base";
import { queryNtp } from "./query-ntp.ts";

export const defaultTimeServer = "time.cloudflare.com";

export interface ClockComparison {
  readonly server: string;
  readonly localtime: Timestamp;
  readonly remotetime: { readonly seconds: bigint; readonly nanos: number };
}

/**
 * Compares the clock of the machine with a time server, without changing it.
 * @throws {OsError} `time/no-server`, `time/query-failed`
 */
export async function compareClock(clock: Clock, server: string, signal: AbortSignal): Promise<ClockComparison> {
  if (server === "") {
    throw new OsError({
      kind: "invalid-argument",
      code: "time/no-server",
      message: "ntp server is required",
      next: `talosctl time --check ${defaultTimeServer}`,
    });
  }
  const { nanoseconds } = await queryNtp(server, clock, signal).catch((err: unknown) => {
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
