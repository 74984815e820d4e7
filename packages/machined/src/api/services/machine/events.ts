import type { Clock } from "@talos-ts/base";
import { toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { EventSchema } from "@talos-ts/proto/machine/event";
import type { MachineEvent, EventBus } from "../../../events/event-bus.ts";
import { createXid } from "../../../events/xid.ts";
import type { MachineMethod } from "./method.ts";

export const events = (machine: { readonly clock: Clock; readonly events: EventBus }): MachineMethod<"events"> =>
  async function* (request, { signal }) {
    const subscription = machine.events.subscribe({
      signal,
      tailEvents: request.tailEvents,
      tailId: request.tailId,
      tailMs: request.tailSeconds * 1000,
      actorId: request.withActorId,
    });
    const stream = subscription[Symbol.asyncIterator]();
    // Listens from here on: what happens after the caller has seen the greeting is never missed.
    let next = stream.next();
    next.catch(() => undefined);
    yield greeting(machine.clock.now(), request.withActorId);
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      yield describe(value);
      next = stream.next();
    }
  };

/** An event without contents: clients wait for it before they do what they want to see the events of. */
function greeting(nowMs: number, actorId: string): MessageInitShape<typeof EventSchema> {
  return { id: createXid(nowMs), actorId, data: {} };
}

function describe({ id, actorId, schema, payload }: MachineEvent): MessageInitShape<typeof EventSchema> {
  return {
    id,
    actorId,
    data: { typeUrl: `talos/runtime/${schema.typeName}`, value: toBinary(schema, payload) },
  };
}
