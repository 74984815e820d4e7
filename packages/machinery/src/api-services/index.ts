import type { DescService } from "@bufbuild/protobuf";
import { ClusterService } from "@talos-ts/proto/cluster/cluster";
import { State } from "@talos-ts/proto/cosi/resource";
import { Health } from "@talos-ts/proto/grpc/health";
import { ServerReflection } from "@talos-ts/proto/grpc/reflection";
import { InspectService } from "@talos-ts/proto/inspect/inspect";
import { DebugService } from "@talos-ts/proto/machine/debug";
import { ImageService } from "@talos-ts/proto/machine/image";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { OperationService } from "@talos-ts/proto/operation/operation";
import { EtcdRecoveryService } from "@talos-ts/proto/recovery/recovery";
import { StorageService } from "@talos-ts/proto/storage/storage";
import { TimeService } from "@talos-ts/proto/time/time";

/** Every service of the machine API, by name. The descriptors are large: for tools and tests, not for daemons. */
export const apiServices: readonly DescService[] = [
  ClusterService,
  DebugService,
  EtcdRecoveryService,
  Health,
  ImageService,
  InspectService,
  LifecycleService,
  MachineService,
  ServerReflection,
  OperationService,
  State,
  StorageService,
  TimeService,
];
