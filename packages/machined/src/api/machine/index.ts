import type { ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import type { Machine } from "../../machine.ts";
import { events } from "./events.ts";
import { logs, logsContainers } from "./logs.ts";
import { serviceList } from "./service-list.ts";
import { serviceRestart, serviceStart, serviceStop } from "./service-operations.ts";
import { version } from "./version.ts";

/** Every method of the machine service that this node has; the others answer "unimplemented". */
export function machineService(machine: Machine): ServiceImpl<typeof MachineService> {
  return {
    events: events(machine),
    logs: logs(machine),
    logsContainers: logsContainers(machine),
    serviceList: serviceList(machine),
    serviceRestart: serviceRestart(machine),
    serviceStart: serviceStart(machine),
    serviceStop: serviceStop(machine),
    version: version(machine),
  };
}
