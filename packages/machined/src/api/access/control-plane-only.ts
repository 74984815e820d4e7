import { OsError } from "@talos-ts/base";
import { isControlPlane, machineTypeOf, type Config } from "@talos-ts/machinery/config";
import type { ConfigStore } from "../../config-store.ts";

/**
 * @param api What is only to be had on a control plane machine, as the error names it.
 * @returns the configuration of the machine
 * @throws unimplemented on every other machine
 */
export async function requireControlPlane(machine: { readonly config: ConfigStore }, api: string): Promise<Config> {
  const config = await machine.config.current();
  if (config !== undefined && isControlPlane(machineTypeOf(config))) return config;
  throw new OsError({
    kind: "unimplemented",
    code: "machine/not-control-plane",
    message: `${api} is only available on control plane nodes`,
    next: "talosctl get members",
  });
}
