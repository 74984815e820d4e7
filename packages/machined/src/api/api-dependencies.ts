import type { Clock } from "@talos-ts/base";
import type { Logger, Runtime, State } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { BootLoader } from "../boot-loader.ts";
import type { ConfigStore } from "../config-store.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { ImageStore } from "../images/image-store.ts";
import type { LogRing } from "../logs/log-ring.ts";
import type { LogStore } from "../logs/log-store.ts";
import type { MetaStore } from "../meta-store.ts";
import type { Platform } from "../platform.ts";
import type { Sequencer } from "../sequence.ts";
import type { RegisterProcess } from "../services/process-registrar.ts";
import type { ServiceManager } from "../services/service-manager.ts";

/** Dependencies of all API methods; each method declares its part. */
export interface ApiDependencies {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly clock: Clock;
  readonly state: State;
  readonly runtime: Runtime;
  readonly events: EventBus;
  readonly logs: LogStore;
  /** Lines of this machine that belong into the kernel log. */
  readonly messages: LogRing;
  readonly logger: Logger;
  readonly services: ServiceManager;
  readonly sequencer: Sequencer;
  readonly config: ConfigStore;
  readonly meta: MetaStore;
  readonly images: ImageStore;
  readonly bootLoader: BootLoader;
  readonly registerProcess: RegisterProcess;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}
