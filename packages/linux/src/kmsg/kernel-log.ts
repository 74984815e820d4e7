import { malformed } from "../ffi/errno.ts";

/** Severities by their numbers, the most urgent first. */
export const severities = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

export type Severity = (typeof severities)[number];

/** One record of /dev/kmsg. */
export interface KernelLogRecord {
  readonly severity: Severity;
  /** 0 is the kernel itself; others are syslog's numbers. */
  readonly facility: number;
  readonly sequence: bigint;
  /** Since boot. */
  readonly timestampMicroseconds: bigint;
  /** A piece of a line: `c` begins or continues, `+` follows. */
  readonly continuation: boolean;
  readonly text: string;
  /** Further keys of the record: SUBSYSTEM, DEVICE. */
  readonly values: ReadonlyMap<string, string>;
}

/** Settings of reading the kernel log. */
export interface KernelLogOptions {
  /** Waits for records to come instead of ending. @default {false} */
  readonly follow?: boolean;
  /** `start` is the oldest record still there, `end` skips everything before now. @default {"start"} */
  readonly from?: "start" | "end";
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
}

/** The log of the kernel. Errors have codes `kmsg/<errno>`. */
export interface KernelLog {
  read(options?: KernelLogOptions): AsyncIterable<KernelLogRecord>;
  /** Adds a line to the log, as facility 1 (user). @default severity {"info"} */
  write(text: string, severity?: Severity): Promise<void>;
}

/** Bytes that are not printable come as \xNN; together they may be UTF-8. */
function unescape(text: string): string {
  if (!text.includes("\\x")) return text;
  const bytes: Buffer[] = [];
  let last = 0;
  for (const match of text.matchAll(/\\x([0-9a-fA-F]{2})/g)) {
    bytes.push(Buffer.from(text.slice(last, match.index)), Buffer.from([Number.parseInt(match[1] ?? "0", 16)]));
    last = match.index + match[0].length;
  }
  return Buffer.concat([...bytes, Buffer.from(text.slice(last))]).toString();
}

/** `priority,sequence,timestamp,flags[,…];text` and lines of ` KEY=value`. @throws OsError `kmsg/malformed` */
export function parseKernelLogRecord(record: string): KernelLogRecord {
  const match = /^(\d{1,9}),(\d{1,20}),(\d{1,20}),([^,;]*)[^;]*;([^\n]*)/.exec(record);
  if (match === null) throw malformed("kmsg", "a record of the kernel log", { record: record.slice(0, 80) });
  const [head, priority = "0", sequence = "0", timestamp = "0", flags = "", text = ""] = match;
  const values = new Map<string, string>();
  for (const line of record.slice(head.length).split("\n")) {
    const equals = line.indexOf("=");
    if (line.startsWith(" ") && equals > 1) values.set(line.slice(1, equals), unescape(line.slice(equals + 1)));
  }
  return {
    severity: severities[Number(priority) & 7] ?? "debug",
    facility: Number(priority) >> 3,
    sequence: BigInt(sequence),
    timestampMicroseconds: BigInt(timestamp),
    continuation: flags.includes("c") || flags.includes("+"),
    text: unescape(text),
    values,
  };
}
