import type { ServiceManager } from "../../../services/service-manager.ts";
import type { MachineMethod } from "./method.ts";

export function serviceStop({ services }: { readonly services: ServiceManager }): MachineMethod<"serviceStop"> {
  return async ({ id }) => ({ messages: [{ resp: await services.operate(id, "stop") }] });
}
