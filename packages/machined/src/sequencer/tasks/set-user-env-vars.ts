import type { ConfigStore } from "../../config-store.ts";
import type { Task } from "../../sequence.ts";

/** Adds `machine.env` of the configuration to the environment of everything that is started from here on. */
export function setUserEnvVars({ config }: { readonly config: ConfigStore }): Task {
  return async () => {
    const { env = {} } = (await config.current())?.machine ?? {};
    for (const [name, value] of Object.entries(env)) process.env[name] = value;
  };
}
