import { OsError } from "@talos-ts/base";
import { HealthCheckResponse_ServingStatus } from "@talos-ts/proto/grpc/health";
import { createContainerdClient } from "../../containerd/client.ts";
import type { HealthCheck } from "../health.ts";

/** A containerd is well when its health service says so. */
export function containerdHealth(socket: string): HealthCheck {
  return {
    async check(signal) {
      await using client = createContainerdClient(socket, "system");
      const { status } = await client.health.check({}, { signal });
      if (status === HealthCheckResponse_ServingStatus.SERVING) return;
      throw new OsError({ kind: "unavailable", message: `unexpected serving status: ${String(status)}` });
    },
  };
}
