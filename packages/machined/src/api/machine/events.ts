import { toBinary } from "@bufbuild/protobuf";
import type { Handler } from "../handler.ts";

export const events: Handler<"events"> = (machine) =>
  async function* (request, { signal }) {
    const stream = machine.events.subscribe({
      signal,
      tailEvents: request.tailEvents,
      tailId: request.tailId,
      tailMs: request.tailSeconds * 1000,
      actorId: request.withActorId,
    });
    for await (const event of stream) {
      yield {
        id: event.id,
        actorId: event.actorId,
        data: { typeUrl: `talos/runtime/${event.schema.typeName}`, value: toBinary(event.schema, event.payload) },
      };
    }
  };
