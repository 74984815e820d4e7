import type { LogStore } from "../../../logs/log-store.ts";
import type { MachineMethod } from "./method.ts";

export function logsContainers({ logs }: { readonly logs: LogStore }): MachineMethod<"logsContainers"> {
  return async () => ({ messages: [{ ids: [...logs.ids()] }] });
}
