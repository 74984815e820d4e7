import { probeDaemon } from "../probe-daemon.ts";
import type { HealthCheck } from "../health.ts";

/** Health of a daemon that serves TLS: one that hangs is ended, so that it starts anew. */
export function daemonHealth(port: number, healthSocket: string): HealthCheck {
  return {
    // Patient, since an answer takes a handshake and the machine may be busy; the bound is for a daemon that hangs.
    settings: { timeoutMs: 5000 },
    restartAfterFailures: 3,
    check: (signal) => probeDaemon(port, healthSocket, signal),
  };
}
