import { weak, type Reader } from "@talos-ts/cosi";
import type { Config } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { parsedConfig } from "../../config/parsed-config.ts";

/** The input every controller declares that follows the configuration. */
export const activeConfigInput = weak(MachineConfig, { id: MachineConfig.ids.active });

/** The configuration in effect, or `undefined` while there is none. */
export async function activeConfig(reader: Reader): Promise<Config | undefined> {
  const resource = await reader.find(MachineConfig, MachineConfig.ids.active);
  return resource?.metadata.phase === "running" ? parsedConfig(resource) : undefined;
}
