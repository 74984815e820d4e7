import { anyPack } from "@bufbuild/protobuf/wkt";
import { describeError, runForever, type Clock } from "@talos-ts/base";
import { weak, type Controller, type Logger } from "@talos-ts/cosi";
import { createChannel, createClient } from "@talos-ts/grpc";
import { EventSinkConfig } from "@talos-ts/machinery/resources/runtime";
import { EventSinkService } from "@talos-ts/proto/events/events";
import type { EventBus } from "../../events/event-bus.ts";
import { createReceiverSet } from "./internal/receiver-set.ts";

interface Machine {
  readonly events: EventBus;
  readonly clock: Clock;
}

/**
 * Sends events to the receiver of `EventSinkConfig`, each once and in order: those that are kept first, then new ones. A receiver that was
 * away gets what came after the last event it took.
 */
export function eventsSinkController(machine: Machine): Controller {
  return {
    // Upstream's name, though its file is here.
    name: "v1alpha1.EventsSinkController",
    inputs: [weak(EventSinkConfig)],
    outputs: [],
    async run(context) {
      using receivers = createReceiverSet<string>(context.signal);
      for await (const _event of context.events) {
        const { endpoint = "" } = (await context.find(EventSinkConfig, EventSinkConfig.id))?.spec ?? {};
        const wanted = endpoint === "" ? [] : [[endpoint, endpoint] as const];
        receivers.set(new Map(wanted), (target, signal) => void deliver(machine, target, context.logger, signal));
        context.resetRestartBackoff();
      }
    },
  };
}

async function deliver(
  { events, clock }: Machine,
  endpoint: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  await using channel = createChannel({ target: endpoint });
  const client = createClient(EventSinkService, channel);
  let lastId = "";
  let told = false;
  await runForever(
    async (works) => {
      const stream = events.subscribe(lastId === "" ? { signal, tailEvents: -1 } : { signal, tailId: lastId });
      for await (const { id, actorId, schema, payload } of stream) {
        await client.publish({ id, actorId, data: anyPack(schema, payload) }, { signal, timeoutMs: 10_000 });
        lastId = id;
        if (told) logger.info("event sink answers again", { endpoint });
        told = false;
        works();
      }
    },
    {
      signal,
      clock,
      backoff: { initialMs: 500, maxMs: 30_000 },
      onEnd(error) {
        if (!told) logger.warn("cannot send events, trying again", { endpoint, error: describeError(error) });
        told = true;
      },
    },
  );
}
