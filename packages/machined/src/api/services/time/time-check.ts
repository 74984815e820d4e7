import type { ServiceImpl } from "@talos-ts/grpc";
import type { TimeService } from "@talos-ts/proto/time/time";
import { compareClock, type CompareClockMachine } from "../../../ntp/compare-clock.ts";

/** Compares the clock with the time server of the request. */
export function timeCheck(machine: CompareClockMachine): NonNullable<ServiceImpl<typeof TimeService>["timeCheck"]> {
  return async ({ server }, { signal }) => ({ messages: [await compareClock(machine, server, signal)] });
}
