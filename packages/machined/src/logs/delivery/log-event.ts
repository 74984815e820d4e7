/** A line of a log on its way to a receiver. */
export interface LogEvent {
  readonly message: string;
  /** Since the epoch, in ms. */
  readonly atMs: number;
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "dpanic" | "panic" | "fatal";

const levels: Readonly<Record<string, LogLevel>> = {
  debug: "debug",
  info: "info",
  warn: "warn",
  // As containerd writes it.
  warning: "warn",
  error: "error",
  dpanic: "dpanic",
  panic: "panic",
  fatal: "fatal",
};

/** Seconds of the year 3000: larger numbers are milliseconds. */
const lastSecond = 32_503_680_000;

/**
 * Reads a line of a service. JSON, alone or behind a message, gives its time, level, message and error; everything else stays as fields.
 * A line of another form is the message.
 */
export function parseLogLine(line: string, nowMs: number): LogEvent {
  const { before, fields } = splitJson(line);
  if (fields === undefined) return { message: line.trim(), atMs: nowMs, level: "info", fields: {} };
  const rest = new Map(Object.entries(fields));
  const take = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    const value = read(rest.get(name));
    if (value !== undefined) rest.delete(name);
    return value;
  };
  const atMs = take("time", readTime) ?? take("ts", readTime) ?? nowMs;
  const level =
    take("level", (value) => (typeof value === "string" ? levels[value.toLowerCase()] : undefined)) ?? "info";
  const said = [before, take("msg", readText)].filter((part) => part !== undefined && part !== "").join(" ");
  const error = take("err", readText);
  return {
    message: [said, error].filter((part) => part !== undefined && part !== "").join(": "),
    atMs,
    level: error !== undefined && (level === "info" || level === "debug") ? "warn" : level,
    fields: Object.fromEntries(rest),
  };
}

const readText = (value: unknown): string | undefined => (typeof value === "string" ? value.trim() : undefined);

function readTime(value: unknown): number | undefined {
  if (typeof value === "number") return Math.trunc(value > lastSecond ? value : value * 1000);
  const ms = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function splitJson(line: string): { readonly before: string; readonly fields: Record<string, unknown> | undefined } {
  const start = line.indexOf("{");
  if (start === -1) return { before: "", fields: undefined };
  try {
    return { before: line.slice(0, start).trim(), fields: JSON.parse(line.slice(start)) as Record<string, unknown> };
  } catch {
    return { before: "", fields: undefined };
  }
}

/** The form on the wire: one JSON object, with the tags of the receiver last. */
export function encodeLogEvent(event: LogEvent, tags: Readonly<Record<string, string>> = {}): string {
  const time = new Date(event.atMs).toISOString();
  return JSON.stringify({
    ...event.fields,
    msg: event.message,
    "talos-time": time,
    "talos-level": event.level,
    ...tags,
  });
}
