import type { LogFields, Logger } from "../controller.ts";

/** A recorded log line. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly LogLine[];
}

/** A logger that keeps what it was told. */
export function createRecordingLogger(): RecordingLogger {
  const lines: LogLine[] = [];

  function make(bound: LogFields): Logger {
    const log =
      (level: LogLine["level"]) =>
      (message: string, fields: LogFields = {}): void => {
        lines.push({ level, message, fields: { ...bound, ...fields } });
      };
    return {
      debug: log("debug"),
      info: log("info"),
      warn: log("warn"),
      error: log("error"),
      with: (fields) => make({ ...bound, ...fields }),
    };
  }

  return { ...make({}), lines };
}
