import type { DescService } from "@bufbuild/protobuf";
import { roles, rolesFor } from "@talos-ts/machinery/roles";
import { ClusterService } from "@talos-ts/proto/cluster/cluster";
import { State } from "@talos-ts/proto/cosi/resource";
import { InspectService } from "@talos-ts/proto/inspect/inspect";
import { DebugService } from "@talos-ts/proto/machine/debug";
import { ImageService } from "@talos-ts/proto/machine/image";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { StorageService } from "@talos-ts/proto/storage/storage";
import { TimeService } from "@talos-ts/proto/time/time";
import { code, table } from "./markdown.ts";

const services: readonly DescService[] = [
  ClusterService,
  DebugService,
  ImageService,
  InspectService,
  LifecycleService,
  MachineService,
  State,
  StorageService,
  TimeService,
];

/** The page about who may call what, from the table that decides it. */
export function rolePage(): string {
  const names = Object.values(roles).filter((role) => role !== roles.impersonator);
  const rows = services.flatMap((service) =>
    service.methods.map((method) => {
      const allowed = rolesFor(`/${service.typeName}/${method.name}`);
      return [
        code(`${service.typeName}/${method.name}`),
        ...names.map((role) => (allowed.includes(role) ? "yes" : "")),
      ];
    }),
  );
  return [
    "# Roles",
    "",
    "Who may call which method, from the table that decides it. A method that is not in that table is for `os:admin` alone.",
    "`os:reader` calls ApplyConfiguration and BlockDeviceWipe only while the machine has no complete configuration.",
    "",
    table(["method", ...names.map(code)], rows),
    "",
  ].join("\n");
}
