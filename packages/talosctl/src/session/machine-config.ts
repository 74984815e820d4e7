import { OsError } from "@talos-ts/base";
import { resourceState, type RawResource } from "@talos-ts/machinery/client/resources";
import { parse } from "yaml";
import { isBareConfig } from "../output/resources/plain.ts";
import type { Session } from "./session.ts";

const machineConfigType = "MachineConfigs.config.talos.dev";
const names: ReadonlySet<string> = new Set(["machineconfig", "machineconfigs", "mc", machineConfigType.toLowerCase()]);

/** @throws `cli/not-editable` for every other kind of resource: only configurations can be changed. */
export function checkMachineConfig(type: string): void {
  if (names.has(type.toLowerCase())) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/not-editable",
    message: `unsupported resource type: ${type}; only the machineconfig resource can be changed`,
  });
}

/** The configuration that a node runs with, as text. */
export async function readMachineConfig(session: Session, node: string | undefined): Promise<string> {
  const pointer = { namespace: "config", type: machineConfigType, id: "v1alpha1" };
  const resource = (await resourceState(session.connection, node).get(pointer)) as RawResource;
  return isBareConfig(resource) ? resource.spec.yaml : String(parse(resource.spec.yaml) as unknown);
}
