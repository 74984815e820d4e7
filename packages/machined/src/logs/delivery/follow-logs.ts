import type { Clock } from "@talos-ts/base";
import type { LogStore } from "../log-store.ts";
import { parseLogLine, type LogEvent } from "./log-event.ts";

/** Longest piece of a line that is kept until its end comes. */
const maxLine = 64 * 1024;

/** Gives every line of every log to a function: those that are kept, then those to come, until disposed. */
export function followLogs(
  { logs, clock }: { readonly logs: LogStore; readonly clock: Clock },
  use: (event: LogEvent) => void,
): Disposable {
  const partial = new Map<string, string>();
  const add = (id: string, text: string): void => {
    const lines = ((partial.get(id) ?? "") + text).split("\n");
    const rest = lines.pop() ?? "";
    partial.set(id, rest.slice(-maxLine));
    for (const line of lines) {
      if (line.trim() === "") continue;
      const event = parseLogLine(line, clock.now());
      use({ ...event, fields: { ...event.fields, "talos-service": id } });
    }
  };
  for (const id of logs.ids()) {
    const kept = logs.open(id).lastLines(-1);
    if (kept.length > 0) add(id, `${kept.join("\n")}\n`);
  }
  return logs.listen((id, chunk) => add(id, chunk.toString()));
}
