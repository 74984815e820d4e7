import type { ServiceManager } from "../../../services/service-manager.ts";
import type { MachineMethod } from "./method.ts";

export function serviceStart({ services }: { readonly services: ServiceManager }): MachineMethod<"serviceStart"> {
  return async ({ id }) => ({ messages: [{ resp: await services.operate(id, "start") }] });
}
