import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { createQueue, OsError, systemClock, type Clock } from "@talos-ts/base";
import { createXid, isXid } from "./xid.ts";

/** Something that happened on the machine: a sequence, a service changing state, a config that failed to load, … */
export interface MachineEvent {
  readonly id: string;
  /** Actor id of the API call, or empty. */
  readonly actorId: string;
  readonly atMs: number;
  readonly schema: DescMessage;
  readonly payload: MessageShape<DescMessage>;
}

export interface SubscribeOptions {
  readonly signal: AbortSignal;
  /** Past events to send first; negative means all that are kept. @default {0} */
  readonly tailEvents?: number;
  /** Send what came after this event. */
  readonly tailId?: string;
  /** Send events younger than this. */
  readonly tailMs?: number;
  readonly actorId?: string;
}

/** The event stream: the last events are kept, and any number of readers follow it. */
export interface EventBus {
  publish<D extends DescMessage>(schema: D, payload: MessageInitShape<D>, actorId?: string): MachineEvent;
  /** Past events as asked, then new ones until the signal aborts. A reader that falls behind is cut off. */
  subscribe(options: SubscribeOptions): AsyncIterable<MachineEvent>;
  /** Calls back for every new event, synchronously and in order. */
  listen(listener: (event: MachineEvent) => void): Disposable;
}

/** Events kept for readers that come late. */
const history = 1000;
/** New events that may wait for one slow reader. */
const readerCapacity = 4096;

export function createEventBus(clock: Clock = systemClock): EventBus {
  let kept: MachineEvent[] = [];
  let idMs = 0;
  const listeners = new Set<(event: MachineEvent) => void>();

  function past(options: SubscribeOptions): readonly MachineEvent[] {
    if (options.tailId !== undefined && options.tailId !== "") {
      if (!isXid(options.tailId)) {
        throw new OsError({
          kind: "invalid-argument",
          code: "events/invalid-id",
          message: `Cannot read events after ${JSON.stringify(options.tailId)}: expected an event id of 20 characters`,
          next: "talosctl events --tail -1",
        });
      }
      const { tailId } = options;
      return kept.filter((event) => event.id > tailId);
    }
    if (options.tailMs !== undefined && options.tailMs > 0) {
      const since = clock.now() - options.tailMs;
      return kept.filter((event) => event.atMs >= since);
    }
    const count = options.tailEvents ?? 0;
    if (count === 0) return [];
    return count < 0 ? kept : kept.slice(-count);
  }

  async function* follow(options: SubscribeOptions): AsyncGenerator<MachineEvent> {
    const channel = createQueue<MachineEvent>(readerCapacity);
    using _listening = listen((event) => {
      if (channel.push(event) || channel.closed) return;
      channel.fail(
        new OsError({
          kind: "resource-exhausted",
          code: "events/overrun",
          message: `Cannot follow events: the reader fell more than ${String(readerCapacity)} events behind`,
        }),
      );
    });
    const stop = (): void => channel.close();
    options.signal.addEventListener("abort", stop, { once: true });
    if (options.signal.aborted) stop();
    const wanted = (event: MachineEvent): boolean => !options.actorId || event.actorId === options.actorId;
    for (const event of past(options)) if (wanted(event)) yield event;
    for await (const event of channel) if (wanted(event)) yield event;
  }

  function listen(listener: (event: MachineEvent) => void): Disposable {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  return {
    publish(schema, payload, actorId = "") {
      const atMs = clock.now();
      // Readers go on after an id: the next ones must be greater, also when the clock is set back.
      idMs = Math.max(idMs, atMs);
      const event: MachineEvent = { id: createXid(idMs), actorId, atMs, schema, payload: create(schema, payload) };
      kept.push(event);
      if (kept.length > history * 2) kept = kept.slice(-history);
      for (const listener of listeners) listener(event);
      return event;
    },
    subscribe: follow,
    listen,
  };
}
