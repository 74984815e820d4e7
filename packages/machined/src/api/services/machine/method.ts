import type { ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";

/** Handler of one method of the machine service. */
export type MachineMethod<K extends keyof ServiceImpl<typeof MachineService>> = NonNullable<
  ServiceImpl<typeof MachineService>[K]
>;
