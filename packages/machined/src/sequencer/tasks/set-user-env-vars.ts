import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Gives the environment of the configuration to everything that is started from here on. */
export function setUserEnvVars(machine: Machine): Task {
  return async () => {
    for (const [name, value] of Object.entries(machine.config.current()?.machine?.env ?? {})) process.env[name] = value;
  };
}
