import type { PlatformMode } from "@talos-ts/machinery/constants";
import { probeDaemon } from "../probe-daemon.ts";
import type { HealthCheck } from "../health.ts";

/** Time for an answer where the processor may be an emulated one, in ms: it takes ten times as long as the host. */
const emulatedTimeoutMs = 30_000;

/** Health of a daemon that serves TLS: one that hangs is ended, so that it starts anew. */
export function daemonHealth(port: number, healthSocket: string, mode: PlatformMode): HealthCheck {
  return {
    // Patient, since an answer takes a handshake and the machine may be busy; the bound is for a daemon that hangs.
    settings: { timeoutMs: mode === "container" ? 5000 : emulatedTimeoutMs },
    restartAfterFailures: 3,
    check: (signal) => probeDaemon(port, healthSocket, signal),
  };
}
