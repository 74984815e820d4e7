import { apiServices } from "@talos-ts/machinery/api-services";
import { roles, rolesFor } from "@talos-ts/machinery/roles";
import { code, table } from "./markdown.ts";

/** The page about who may call what, from the table that decides it. */
export function rolePage(): string {
  const names = Object.values(roles).filter((role) => role !== roles.impersonator);
  const rows = apiServices.flatMap((service) =>
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
