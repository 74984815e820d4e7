import type { Condition } from "./conditions/condition.ts";
import type { Runner } from "./runner.ts";
import type { HealthCheck } from "./services/health.ts";
import type { ServiceState } from "./service-state.ts";

/** A system service: what it needs, how it runs, how one knows that it is well. */
export interface Service {
  readonly id: string;
  /** Services that must be up first. @default {[]} */
  readonly dependsOn?: readonly string[];
  /** Volumes that must be mounted first. @default {[]} */
  readonly volumes?: readonly string[];
  /** Further conditions to wait for. */
  readonly condition?: Condition;
  /** Gets everything ready: pulls images, writes files, builds arguments. What takes long is told as lines of its history. */
  prepare?(signal: AbortSignal, report: (message: string) => void): Promise<void>;
  /** `undefined` skips the service. */
  runner(): Runner | undefined;
  /** Called once it is over, whatever the outcome. */
  finished?(outcome: ServiceState): Promise<void>;
  readonly health?: HealthCheck;
  /** Operations that the API may perform. @default none */
  readonly api?: readonly ServiceOperation[];
}

export type ServiceOperation = "start" | "stop" | "restart";
