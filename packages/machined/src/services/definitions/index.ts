import type { ApiDependencies } from "../../api/api-dependencies.ts";
import type { Service } from "../../service.ts";
import { apidService } from "./apid.ts";
import { containerdService } from "./containerd.ts";
import { criService } from "./cri.ts";
import { dashboardService } from "./dashboard.ts";
import { etcdService } from "./etcd.ts";
import { kubeletService } from "./kubelet.ts";
import { machinedService } from "./machined.ts";
import { syslogdService } from "./syslogd.ts";
import { trustdService } from "./trustd.ts";
import { udevdService } from "./udevd.ts";

/** Dependencies of all services; each service declares its part. The API, which is a service, needs the most. */
export type ServiceDependencies = ApiDependencies;

/** Registry of every service a machine may run, by id. */
export const serviceDefinitions = {
  apid: apidService,
  containerd: containerdService,
  cri: criService,
  dashboard: dashboardService,
  etcd: etcdService,
  kubelet: kubeletService,
  machined: machinedService,
  syslogd: syslogdService,
  trustd: trustdService,
  udevd: (dependencies) => udevdService(dependencies),
} as const satisfies Record<string, (dependencies: ServiceDependencies) => Service>;

export type ServiceId = keyof typeof serviceDefinitions;
