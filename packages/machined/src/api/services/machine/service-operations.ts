import type { MachineMethod } from "./method.ts";
import type { ServiceManager } from "../../../services/service-manager.ts";

export const serviceStart =
  (machine: { readonly services: ServiceManager }): MachineMethod<"serviceStart"> =>
  async (request) => ({
    messages: [{ resp: await machine.services.operate(request.id, "start") }],
  });

export const serviceStop =
  (machine: { readonly services: ServiceManager }): MachineMethod<"serviceStop"> =>
  async (request) => ({
    messages: [{ resp: await machine.services.operate(request.id, "stop") }],
  });

export const serviceRestart =
  (machine: { readonly services: ServiceManager }): MachineMethod<"serviceRestart"> =>
  async (request) => ({
    messages: [{ resp: await machine.services.operate(request.id, "restart") }],
  });
