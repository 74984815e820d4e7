import { createBackoff, describeError, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { encodeLogEvent, type LogEvent } from "./log-event.ts";
import { createLineSender, type LineSender } from "./line-sender.ts";

/** Events that may wait for a receiver that is away or slow; the oldest are dropped then. */
const capacity = 4096;

export interface DeliveryOptions {
  /** `tcp://host:port` or `udp://host:port`. */
  readonly receiver: string;
  /** Fields added to every event. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** @default {createLineSender} */
  readonly createSender?: (receiver: string) => LineSender;
}

/** Events on their way to one receiver. */
export interface Delivery {
  push(event: LogEvent): void;
}

/**
 * Starts sending events to a receiver until the signal aborts. It never blocks the writer and holds a bounded number of events: what a
 * receiver missed is counted, and told to it.
 */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { receiver, tags = {}, clock, logger, signal, createSender = createLineSender } = options;
  const waiting: LogEvent[] = [];
  let dropped = 0;
  let wake = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => wake.resolve(), { once: true });

  async function run(): Promise<void> {
    using sender = createSender(receiver);
    const backoff = createBackoff({ initialMs: 500, maxMs: 30_000 });
    let told = false;
    while (!signal.aborted) {
      const event = dropped > 0 ? lost(dropped, clock.now()) : waiting[0];
      if (event === undefined) {
        await wake.promise;
        wake = Promise.withResolvers<void>();
        if (signal.aborted) wake.resolve();
        continue;
      }
      const counted = dropped;
      try {
        await sender.send(encodeLogEvent(event, tags), signal);
        if (counted > 0) dropped -= counted;
        // The oldest may have been dropped while it was being sent.
        else if (waiting[0] === event) waiting.shift();
        if (told) logger.info("log receiver answers again", { receiver });
        told = false;
        backoff.reset();
      } catch (err) {
        if (signal.aborted) return;
        // Once: this very line is a log line, which waits for the receiver too.
        if (!told) logger.warn("cannot send logs, trying again", { receiver, error: describeError(err) });
        told = true;
        await clock.sleep(backoff.next(), signal).catch(() => undefined);
      }
    }
  }

  run().catch((err: unknown) => logger.error("log delivery ended", { receiver, error: describeError(err) }));
  return {
    push(event) {
      waiting.push(event);
      if (waiting.length > capacity) {
        waiting.shift();
        dropped += 1;
      }
      wake.resolve();
    },
  };
}

function lost(count: number, atMs: number): LogEvent {
  const message = `${String(count)} log lines were dropped because the receiver did not keep up`;
  return { message, atMs, level: "warn", fields: {} };
}
