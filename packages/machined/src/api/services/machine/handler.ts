import type { ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import type { Machine } from "../../../machine.ts";

/** One method of the machine service: a function of the machine that gives the handler. */
export type Handler<K extends keyof ServiceImpl<typeof MachineService>> = (
  machine: Machine,
) => NonNullable<ServiceImpl<typeof MachineService>[K]>;
