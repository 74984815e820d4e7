import type { ServiceImpl } from "@talos-ts/grpc";
import type { EtcdRecoveryService } from "@talos-ts/proto/recovery/recovery";
import type { RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { inspect } from "./inspect.ts";
import { createExclusive } from "./method.ts";
import { rehearse } from "./rehearse.ts";
import { rejoin } from "./rejoin.ts";
import { restore } from "./restore.ts";
import { stop } from "./stop.ts";

export function etcdRecoveryService(machine: RecoveryDependencies): ServiceImpl<typeof EtcdRecoveryService> {
  const exclusive = createExclusive();
  return {
    inspect: inspect(machine, exclusive),
    rehearse: rehearse(machine, exclusive),
    stop: stop(machine, exclusive),
    restore: restore(machine, exclusive),
    rejoin: rejoin(machine, exclusive),
  };
}
