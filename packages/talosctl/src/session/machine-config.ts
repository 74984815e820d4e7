import { OsError } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import type { Session } from "./session.ts";

const names: ReadonlySet<string> = new Set(["machineconfig", "machineconfigs", "mc", MachineConfig.type.toLowerCase()]);

/** @throws `cli/not-editable` for every other kind of resource: only configurations can be changed. */
export function checkMachineConfig(type: string): void {
  if (names.has(type.toLowerCase())) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/not-editable",
    message: `unsupported resource type: ${type}; only the machineconfig resource can be changed`,
  });
}

/** Reads the active configuration of a node, as text. */
export async function readMachineConfig(session: Session, node: string | undefined): Promise<string> {
  const resources = openResources(session.connection, node, [MachineConfig]);
  return (await resources.get(MachineConfig, MachineConfig.ids.active)).spec;
}
