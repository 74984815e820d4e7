import type { ServiceManager } from "../../../services/service-manager.ts";
import type { MachineMethod } from "./method.ts";

export function serviceRestart({ services }: { readonly services: ServiceManager }): MachineMethod<"serviceRestart"> {
  return async ({ id }) => ({ messages: [{ resp: await services.operate(id, "restart") }] });
}
