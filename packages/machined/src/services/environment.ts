import { environmentOf } from "@talos-ts/machinery/config";
import type { ConfigStore } from "../config-store.ts";

/** PATH of services; the image has no programs elsewhere. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Environment of services that the configuration asks for (`EnvironmentConfig`, `machine.env`), as it is now. */
export async function configuredEnvironment(
  config: Pick<ConfigStore, "current">,
): Promise<Readonly<Record<string, string>>> {
  const current = await config.current();
  return current === undefined ? {} : environmentOf(current);
}
