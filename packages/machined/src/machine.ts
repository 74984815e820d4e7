import type { Clock } from "@talos-ts/base";
import type { Logger, Runtime, State } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { Config } from "@talos-ts/machinery/config";
import type { EventBus } from "./events/event-bus.ts";
import type { ImageStore } from "./images/image-store.ts";
import type { LogStore } from "./logs/log-store.ts";
import type { Platform } from "./platform.ts";
import type { Sequencer } from "./sequencer/sequencer.ts";
import type { ServiceManager } from "./services/service-manager.ts";

/** Everything that a task, a service, a controller or an API handler may reach. Built once, in `main.ts`. */
export interface Machine {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly clock: Clock;
  /** The only owner of truth. */
  readonly state: State;
  readonly runtime: Runtime;
  readonly events: EventBus;
  readonly logs: LogStore;
  readonly logger: Logger;
  readonly services: ServiceManager;
  readonly sequencer: Sequencer;
  readonly config: ConfigStore;
  /** Container images of both containerds, and how they get here. */
  readonly images: ImageStore;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** The machine configuration: the active one, and the one that will be active after the next boot. */
export interface ConfigStore {
  /** `undefined` until one was acquired. */
  current(): Config | undefined;
  /** Makes a configuration active: controllers see it at once. */
  activate(config: Config): Promise<void>;
  /** Keeps a configuration for the next boot; a controller writes it to disk. */
  persist(config: Config): Promise<void>;
}
