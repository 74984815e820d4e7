import type { Controller } from "@talos-ts/cosi";
import type { Clock } from "@talos-ts/base";
import type { Logger, State } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { BootLoader } from "../boot-loader.ts";
import type { ConfigStore } from "../config-store.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { LogStore } from "../logs/log-store.ts";
import type { ServiceManager } from "../services/service-manager.ts";
import type { Platform } from "../platform.ts";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import type { ResolveHost } from "./k8s/static-endpoint.ts";
import type { SetHostname } from "./network/hostname-spec.ts";

/** Dependencies of pure controllers. The dry run supplies its own: none of them reaches the machine. */
export interface PureDependencies {
  readonly platform: { readonly mode: PlatformMode };
  /** Prefix of every path. Empty on a machine; a temporary directory in a dry run. */
  readonly root: string;
  readonly resolveHost: ResolveHost;
  /** `undefined` where the hostname belongs to somebody else: in a container, and in a dry run. */
  readonly setHostname: SetHostname | undefined;
}

/** Dependencies of all controllers; each controller declares its part. */
export interface ControllerDependencies extends PureDependencies {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly clock: Clock;
  readonly state: State;
  readonly events: EventBus;
  readonly logs: LogStore;
  readonly logger: Logger;
  readonly services: ServiceManager;
  readonly config: ConfigStore;
  readonly bootLoader: BootLoader;
}

/** One controller in the registry of its domain. */
export type ControllerRow =
  | { readonly pure: true; readonly make: (dependencies: PureDependencies) => Controller }
  | { readonly pure: false; readonly make: (dependencies: ControllerDependencies) => Controller };

/** Registers a controller whose outputs follow from resources alone: `--dry-run` foresees them. */
export function pure(make: (dependencies: PureDependencies) => Controller): ControllerRow {
  return { pure: true, make };
}

/** Registers a controller that reads or changes something besides resources: the kernel, disks, services, the clock. */
export function effect(make: (dependencies: ControllerDependencies) => Controller): ControllerRow {
  return { pure: false, make };
}
