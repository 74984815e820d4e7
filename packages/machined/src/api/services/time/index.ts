import type { ServiceImpl } from "@talos-ts/grpc";
import type { TimeService } from "@talos-ts/proto/time/time";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { timeCheck } from "./time-check.ts";
import { time } from "./time.ts";

export function timeService(
  dependencies: Pick<ApiDependencies, "clock" | "linux" | "state">,
): ServiceImpl<typeof TimeService> {
  return { time: time(dependencies), timeCheck: timeCheck(dependencies) };
}
