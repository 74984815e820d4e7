import type { Clock } from "@talos-ts/base";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { TimeService } from "@talos-ts/proto/time/time";
import { compareClock } from "../../support/ntp/compare-clock.ts";

/** Compares the clock with the time server of the request. */
export function timeCheck({
  clock,
}: {
  readonly clock: Clock;
}): NonNullable<ServiceImpl<typeof TimeService>["timeCheck"]> {
  return async ({ server }, { signal }) => ({ messages: [await compareClock(clock, server, signal)] });
}
