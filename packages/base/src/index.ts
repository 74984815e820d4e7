export { createBackoff, type Backoff, type BackoffOptions } from "./backoff.ts";
export { createQueue, type Queue } from "./queue.ts";
export { createManualClock, systemClock, type Clock, type ManualClock } from "./clock.ts";
export { createDeadlines, type Deadline, type Deadlines } from "./deadlines.ts";
export {
  describeError,
  errorKinds,
  isCode,
  isKind,
  kindOfStatus,
  OsError,
  type ErrorKind,
  type OsErrorInit,
} from "./error.ts";
export { hostPort } from "./host-port.ts";
export { humanBytes } from "./human-bytes.ts";
export { isRecord } from "./is-record.ts";
export { isoTime } from "./iso-time.ts";
export { logLine, type Log } from "./log-line.ts";
export { nearest } from "./nearest.ts";
export { runForever, type RunForeverOptions } from "./run-forever.ts";
export { formatGoDuration, goDurationMs, parseGoDuration } from "./go-duration.ts";
export { formatTable } from "./table.ts";
export { timeLimit, type TimeLimit, type TimeLimitOptions } from "./time-limit.ts";
export { visibleText } from "./visible-text.ts";
export { within, type Within } from "./within.ts";
export { readTar, type TarEntry } from "./tar/read-tar.ts";
