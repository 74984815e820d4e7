import type { Logger } from "@talos-ts/cosi";
import { ServiceStateEventSchema } from "@talos-ts/proto/machine/event";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { EventBus } from "../events/event-bus.ts";
import type { ServiceManager } from "./service-manager.ts";
import { serviceStates } from "../service-state.ts";

/** Tells the event stream of every line in the history of every service, once. */
export function publishServiceEvents(machine: {
  readonly events: EventBus;
  readonly logger: Logger;
  readonly services: ServiceManager;
}): Disposable {
  const published = new Map<string, unknown>();
  return machine.services.listen((unit) => {
    const { id } = unit.service;
    const last = unit.events.at(-1);
    if (last === undefined || published.get(id) === last) return;
    published.set(id, last);
    const { healthy, message, lastChangeMs } = unit.health;
    machine.events.publish(ServiceStateEventSchema, {
      service: id,
      // The API numbers these actions as it numbers states.
      action: serviceStates[last.state].number,
      message: last.message,
      health: {
        unknown: healthy === undefined,
        healthy: healthy ?? false,
        lastMessage: message,
        lastChange: timestampFromMs(lastChangeMs),
      },
    });
    machine.logger.info(`service[${id}](${serviceStates[last.state].text}): ${last.message}`);
  });
}
