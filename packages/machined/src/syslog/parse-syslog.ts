/** Fields of a message in the traditional form (RFC 3164), as Talos prints them. */
export interface TraditionalMessage {
  readonly content: string;
  readonly facility: number;
  readonly hostname: string;
  readonly priority: number;
  readonly severity: number;
  readonly tag: string;
  readonly timestamp: string;
}

/** Fields of a structured message (RFC 5424), as Talos prints them. */
export interface StructuredMessage {
  readonly app_name: string;
  readonly facility: number;
  readonly hostname: string;
  readonly message: string;
  readonly msg_id: string;
  readonly priority: number;
  readonly proc_id: string;
  readonly severity: number;
  readonly structured_data: string;
  readonly timestamp: string;
  readonly version: number;
}

export type SyslogMessage = TraditionalMessage | StructuredMessage;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
/** user.notice, for what comes without a priority (RFC 3164, section 4.3.3). */
const defaultPriority = 13;
const largestPriority = 191;
/** A date without a year that lies further ahead than this is one of last year. */
const aheadMs = 24 * 3_600_000;

const structured =
  /^(?<version>[1-9]\d{0,2}) (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<process>\S+) (?<id>\S+) (?<data>-|(?:\[[^\s"\]=]+(?: [^\s"\]=]+="(?:[^"\\\]]|\\.)*")*\])+)(?: \uFEFF?(?<message>[^]*))?$/;
const traditionalTime =
  /^(?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?<rest>[^]*)$/;
const traditionalTag = /^(?:(?<host>[\w.-]+) )?(?<tag>[\w./-]{1,48})(?:\[[^\]]*\])?: ?(?<content>[^]*)$/;

/**
 * Reads one message of `/dev/log`. Nothing is refused: what has neither form is the content of a message of its own, so that no
 * line of a program is lost.
 *
 * @param nowMs Time of arrival; gives the year that the traditional form lacks.
 */
export function parseSyslog(bytes: Buffer, nowMs: number): SyslogMessage {
  const text = bytes.toString("utf8").replace(/[\0\n]+$/, "");
  const [, digits, after = ""] = /^<(\d{1,3})>([^]*)$/.exec(text) ?? [];
  const known = digits !== undefined && Number(digits) <= largestPriority;
  const priority = known ? Number(digits) : defaultPriority;
  const rest = known ? after : text;
  const common = { facility: priority >> 3, priority, severity: priority & 7 };
  return parseStructured(rest, common, nowMs) ?? parseTraditional(rest, common, nowMs);
}

type Priority = Pick<SyslogMessage, "facility" | "priority" | "severity">;

function parseStructured(text: string, common: Priority, nowMs: number): StructuredMessage | undefined {
  const groups = structured.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const atMs = Date.parse(groups["time"] ?? "");
  return {
    app_name: groups["app"] ?? "-",
    facility: common.facility,
    hostname: groups["host"] ?? "-",
    message: groups["message"] ?? "",
    msg_id: groups["id"] ?? "-",
    priority: common.priority,
    proc_id: groups["process"] ?? "-",
    severity: common.severity,
    structured_data: groups["data"] ?? "-",
    timestamp: Number.isNaN(atMs) ? isoTime(nowMs) : (groups["time"] ?? ""),
    version: Number(groups["version"]),
  };
}

function parseTraditional(text: string, common: Priority, nowMs: number): TraditionalMessage {
  const time = traditionalTime.exec(text)?.groups;
  const month = months.findIndex((name) => name === time?.["month"]);
  const timed = time !== undefined && month >= 0;
  const rest = timed ? (time["rest"] ?? "") : text;
  const tagged = traditionalTag.exec(rest)?.groups;
  return {
    content: tagged?.["content"] ?? rest,
    facility: common.facility,
    hostname: tagged?.["host"] ?? "localhost",
    priority: common.priority,
    severity: common.severity,
    tag: tagged?.["tag"] ?? "unknown",
    timestamp: isoTime(timed ? withYear(time, month, nowMs) : nowMs),
  };
}

function withYear(time: Readonly<Record<string, string>>, month: number, nowMs: number): number {
  const of = (year: number): number =>
    Date.UTC(year, month, Number(time["day"]), Number(time["hour"]), Number(time["minute"]), Number(time["second"]));
  const year = new Date(nowMs).getUTCFullYear();
  return of(year) > nowMs + aheadMs ? of(year - 1) : of(year);
}

/** Without a fraction where there is none. */
const isoTime = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
