import { join } from "node:path";
import { paths } from "@talos-ts/machinery/constants";

/** Files of recoveries below `paths.etcdRecovery`. */
export const recoveryFiles = {
  /** Folder of a throw-away etcd: a copy of the data, and its socket. */
  throwAway: join(paths.etcdRecovery, "throw-away"),
  /** The data of the member before the last recovery replaced it, as a snapshot. */
  snapshot: join(paths.etcdRecovery, "survivor.snapshot"),
  /** What was read of the member when the snapshot was taken. */
  facts: join(paths.etcdRecovery, "survivor.json"),
} as const;
