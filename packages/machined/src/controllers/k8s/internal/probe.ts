import type { JsonObject } from "@talos-ts/machinery/resources/values";

/** A probe of a component that listens on the loopback interface; fields left out have the defaults of Kubernetes. */
export function httpsProbe(
  port: number,
  path: string,
  timing: {
    readonly periodSeconds?: number;
    readonly failureThreshold?: number;
    readonly timeoutSeconds?: number;
  } = {},
): JsonObject {
  return { httpGet: { path, host: "localhost", port, scheme: "HTTPS" }, ...timing };
}
