import { systemClock, type Clock } from "@talos-ts/base";
import type { LogFields, Logger } from "@talos-ts/cosi";

export type Level = "debug" | "info" | "warn" | "error";

/** One log record on its way to a sink. */
export interface LogRecord {
  readonly level: Level;
  readonly message: string;
  readonly fields: LogFields;
  readonly atMs: number;
}

export type Sink = (record: LogRecord) => void;

/** A logger that gives every record to every sink. */
export function createLogger(sinks: readonly Sink[], fields: LogFields = {}, clock: Clock = systemClock): Logger {
  const emit =
    (level: Level) =>
    (message: string, more: LogFields = {}): void => {
      const record: LogRecord = { level, message, fields: { ...fields, ...more }, atMs: clock.now() };
      for (const sink of sinks) sink(record);
    };
  return {
    debug: emit("debug"),
    info: emit("info"),
    warn: emit("warn"),
    error: emit("error"),
    with: (more) => createLogger(sinks, { ...fields, ...more }, clock),
  };
}

/** `message {"key": "value"}`: the form of the console and of the kernel log. */
function formatFields(fields: LogFields): string {
  const parts = Object.entries(fields).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value) ?? "null"}`,
  );
  return parts.length === 0 ? "" : ` {${parts.join(", ")}}`;
}

/** Console lines: `2026/11/15 19:00:00 [talos] message {…}`. */
export function consoleSink(write: (line: string) => void, minimum: Level = "info"): Sink {
  return (record) => {
    if (order[record.level] < order[minimum]) return;
    const time = new Date(record.atMs).toISOString();
    const stamp = `${time.slice(0, 10).replaceAll("-", "/")} ${time.slice(11, 19)}`;
    write(`${stamp} [talos] ${record.message}${formatFields(record.fields)}\n`);
  };
}

/** Lines as they stand in the kernel log: `user: warning: [2026-11-15T19:00:01.25Z]: [talos] message {…}`. */
export function messageSink(write: (line: string) => void, minimum: Level = "info"): Sink {
  return (record) => {
    if (order[record.level] < order[minimum]) return;
    const time = new Date(record.atMs).toISOString().replace(/\.?0*Z$/, "Z");
    write(`user: warning: [${time}]: [talos] ${record.message}${formatFields(record.fields)}\n`);
  };
}

/** Lines for the kernel log, which adds the time itself: `[talos] message {…}`. */
export function kernelLogSink(write: (line: string) => void, minimum: Level = "info"): Sink {
  return (record) => {
    if (order[record.level] >= order[minimum]) write(`[talos] ${record.message}${formatFields(record.fields)}`);
  };
}

/** Lines of the controller-runtime log: time, level, message and fields, separated by tabs. */
export function detailSink(write: (line: string) => void): Sink {
  return (record) => {
    const time = new Date(record.atMs).toISOString();
    write(`${time}\t${record.level.toUpperCase()}\t${record.message}\t${formatFields(record.fields).trimStart()}\n`);
  };
}

/**
 * Passes on failures of a controller only from the fifth one: while a machine boots, controllers fail because what they need
 * is not there yet, and a console full of that hides what matters. The full story is in the controller-runtime log.
 */
export function quietControllers(next: Sink, hidden = 4): Sink {
  const seen = new Map<string, number>();
  return (record) => {
    const { controller } = record.fields;
    if (record.level === "error" && typeof controller === "string") {
      const count = (seen.get(controller) ?? 0) + 1;
      seen.set(controller, count);
      if (count <= hidden) return;
    }
    next(record);
  };
}

const order: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };
