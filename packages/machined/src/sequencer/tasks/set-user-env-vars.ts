import type { ConfigStore } from "../../config-store.ts";
import type { Task } from "../../sequence.ts";
import { configuredEnvironment } from "../../services/environment.ts";

/** Adds the environment of the configuration to that of `machined`, before the first image is pulled. */
export function setUserEnvVars({ config }: { readonly config: ConfigStore }): Task {
  return async () => {
    Object.assign(process.env, await configuredEnvironment(config));
  };
}
