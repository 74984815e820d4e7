import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { serviceStates } from "../../../service-state.ts";
import type { MachineMethod } from "./method.ts";
import type { ServiceManager } from "../../../services/service-manager.ts";

export const serviceList =
  (machine: { readonly services: ServiceManager }): MachineMethod<"serviceList"> =>
  async () => ({
    messages: [
      {
        services: machine.services.list().map((unit) => ({
          id: unit.service.id,
          state: serviceStates[unit.state].text,
          events: {
            events: unit.events.map((event) => ({
              msg: event.message,
              state: serviceStates[event.state].text,
              ts: timestampFromMs(event.atMs),
            })),
          },
          health: {
            unknown: unit.health.healthy === undefined,
            healthy: unit.health.healthy ?? false,
            lastMessage: unit.health.message,
            lastChange: timestampFromMs(unit.health.lastChangeMs),
          },
        })),
      },
    ],
  });
