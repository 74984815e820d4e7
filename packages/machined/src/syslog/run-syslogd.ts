import { describeError, type Clock } from "@talos-ts/base";
import { severities, type KernelLogRecord, type Linux } from "@talos-ts/linux";
import { parseSyslog, type TraditionalMessage } from "./parse-syslog.ts";

export interface SyslogdOptions {
  readonly linux: Pick<Linux, "kernelLog" | "procfs" | "unixDatagrams">;
  readonly clock: Clock;
  /** Path of the socket. */
  readonly path: string;
  /** Gets one JSON object for each message, with its line end. */
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Every program of the machine may write to the log. */
const socketMode = 0o666;

/**
 * Writes messages of programs (`/dev/log`) and of the kernel to one log, as JSON lines. Resolves when the signal aborts. A kernel
 * log that cannot be read costs one line; programs are served all the same.
 */
export async function runSyslogd({ linux, clock, path, write, signal }: SyslogdOptions): Promise<void> {
  const emit = (message: object): void => write(`${JSON.stringify(message)}\n`);
  await using _socket = await linux.unixDatagrams.listen({
    path,
    mode: socketMode,
    onMessage: (bytes) => emit(parseSyslog(bytes, clock.now())),
  });
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const kernel = followKernel(linux, emit, signal).catch((err: unknown) => {
    const text = `<43>syslogd: kernel messages cannot be read: ${describeError(err)}`;
    emit(parseSyslog(Buffer.from(text), clock.now()));
  });
  await stopped;
  await kernel;
}

async function followKernel(
  { kernelLog, procfs }: SyslogdOptions["linux"],
  emit: (message: object) => void,
  signal: AbortSignal,
): Promise<void> {
  const bootMs = Number((await procfs.stat()).bootTime) * 1000;
  for await (const record of kernelLog.read({ follow: true, signal })) emit(kernelMessage(record, bootMs));
}

function kernelMessage(record: KernelLogRecord, bootMs: number): TraditionalMessage {
  const severity = severities.indexOf(record.severity);
  return {
    content: record.text,
    facility: record.facility,
    hostname: "localhost",
    priority: record.facility * 8 + severity,
    severity,
    tag: "kernel",
    timestamp: new Date(bootMs + Number(record.timestampMicroseconds / 1000n)).toISOString(),
  };
}
