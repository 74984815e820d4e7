import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { createQueue, OsError, systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { createServer } from "@talos-ts/grpc";
import { EventSinkConfig } from "@talos-ts/machinery/resources/runtime";
import { EventSinkService, type EventRequest } from "@talos-ts/proto/events/events";
import { SequenceEventSchema } from "@talos-ts/proto/machine/event";
import { createEventBus } from "../../events/event-bus.ts";
import { eventsSinkController } from "./events-sink.ts";

describe("eventsSinkController()", () => {
  it("sends kept and new events to a real server, each once, also when it refuses one for a while", async () => {
    const received = createQueue<EventRequest>();
    let refusals = 1;
    await using server = createServer({ graceMs: 0 }).addService(EventSinkService, {
      publish(request) {
        if (request.actorId === "refused" && refusals-- > 0)
          throw new OsError({ kind: "unavailable", message: "not now" });
        received.push(request);
        return {};
      },
    });
    const { address } = await server.listen({ host: "127.0.0.1", port: 0 });
    const events = createEventBus();
    const publish = (sequence: string, actorId = ""): void =>
      void events.publish(SequenceEventSchema, { sequence }, actorId);
    publish("boot");
    await using test = controllerTest({ register: [eventsSinkController({ events, clock: systemClock })] });
    await test.create(createResource(EventSinkConfig, EventSinkConfig.id, EventSinkConfig.spec({ endpoint: address })));
    const reader = received[Symbol.asyncIterator]();
    const next = async (): Promise<EventRequest> => (await reader.next()).value as EventRequest;
    const first = await next();
    assert.ok(first.data);
    assert.equal(first.data.typeUrl, "type.googleapis.com/machine.SequenceEvent");
    const name = ({ data }: EventRequest): string | undefined =>
      data === undefined ? undefined : anyUnpack(data, SequenceEventSchema)?.sequence;
    assert.equal(name(first), "boot");
    publish("reboot", "refused");
    publish("shutdown");
    assert.deepEqual([name(await next()), name(await next())], ["reboot", "shutdown"]);
  });
});
