import type { Clock } from "@talos-ts/base";
import type { Logger, State } from "@talos-ts/cosi";
import type { ConfigStore } from "../config-store.ts";
import type { ImageRunnerDependencies } from "../runners/image.ts";

/** Dependencies of a client of the local member: where its certificates are. */
export interface EtcdAccess {
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** Dependencies of a client of all members: the resources that tell where they are. */
export interface EtcdClusterAccess extends EtcdAccess {
  readonly state: State;
}

/** Dependencies of work that goes on until members agree. */
export interface EtcdRetryAccess extends EtcdClusterAccess {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Dependencies of the service. */
export interface EtcdServiceDependencies extends EtcdRetryAccess, ImageRunnerDependencies {
  readonly config: ConfigStore;
}
