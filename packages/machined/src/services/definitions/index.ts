import type { Machine } from "../../machine.ts";
import type { Service } from "../../service.ts";
import { apidService } from "./apid.ts";
import { containerdService } from "./containerd.ts";
import { criService } from "./cri.ts";
import { machinedService } from "./machined.ts";
import { trustdService } from "./trustd.ts";

/** Every service a machine may run, by id. */
export const serviceDefinitions = {
  apid: apidService,
  containerd: containerdService,
  cri: criService,
  machined: machinedService,
  trustd: trustdService,
} as const satisfies Record<string, (machine: Machine) => Service>;

export type ServiceId = keyof typeof serviceDefinitions;

/** Makes services known and starts them. */
export function loadAndStart(machine: Machine, ...ids: readonly ServiceId[]): void {
  machine.services.load(...ids.map((id) => serviceDefinitions[id](machine)));
  machine.services.start(...ids);
}
