import { findTyped, type State } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import type { TimeService } from "@talos-ts/proto/time/time";
import { compareClock, defaultTimeServer, type CompareClockMachine } from "../../../ntp/compare-clock.ts";

/** Compares the clock with the first time server of the machine. */
export function time({
  state,
  ...machine
}: CompareClockMachine & { readonly state: State }): NonNullable<ServiceImpl<typeof TimeService>["time"]> {
  return async (_request, { signal }) => {
    const servers = await findTyped(state, TimeServerStatus, TimeServerStatus.id);
    const server = servers?.spec.timeServers[0] ?? defaultTimeServer;
    return { messages: [await compareClock(machine, server, signal)] };
  };
}
