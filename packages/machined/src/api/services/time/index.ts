import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describeError, OsError, type Clock } from "@talos-ts/base";
import { findTyped, type State } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import type { TimeService } from "@talos-ts/proto/time/time";
import { queryNtp } from "../../support/ntp/query-ntp.ts";

const defaultServer = "time.cloudflare.com";

/** Compares the clock of the machine with a time server, without touching it. */
export function timeService(machine: {
  readonly clock: Clock;
  readonly state: State;
}): ServiceImpl<typeof TimeService> {
  async function check(server: string, signal: AbortSignal) {
    if (server === "") {
      throw new OsError({
        kind: "invalid-argument",
        code: "time/no-server",
        message: "ntp server is required",
        next: `talosctl time --check ${defaultServer}`,
      });
    }
    const { nanoseconds } = await queryNtp(server, machine.clock, signal).catch((err: unknown) => {
      throw new OsError({
        kind: "unavailable",
        code: "time/query-failed",
        message: `error querying NTP server "${server}": ${describeError(err)}`,
        cause: err,
        next: "talosctl get timeservers",
      });
    });
    const remotetime = { seconds: nanoseconds / 1_000_000_000n, nanos: Number(nanoseconds % 1_000_000_000n) };
    return { messages: [{ server, localtime: timestampFromMs(machine.clock.now()), remotetime }] };
  }

  return {
    async time(_request, { signal }) {
      const servers = await findTyped(machine.state, TimeServerStatus, "timeservers");
      return check(servers?.spec.timeServers[0] ?? defaultServer, signal);
    },
    timeCheck: ({ server }, { signal }) => check(server, signal),
  };
}
