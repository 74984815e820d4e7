import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { OsError, timeLimit, type Clock } from "@talos-ts/base";
import { hasErrno, type KernelClock } from "@talos-ts/linux";
import { ntpRequest, parseNtpResponse, type Leap } from "./ntp-packet.ts";
import type { TimeSource } from "./time-server.ts";

const timeoutMs = 5000;

/** One comparison of the local clock with a source. Times are in nanoseconds. */
export interface TimeSample {
  /** Offset by which the local clock has to be moved. */
  readonly offset: bigint;
  /** Time on the way, both directions together. */
  readonly delay: bigint;
  /** Largest possible error: of the server, and half of the delay. */
  readonly rootDistance: bigint;
  readonly leap: Leap;
  /** The source's time, in nanoseconds since 1970. */
  readonly time: bigint;
}

export interface QueryOptions {
  readonly clock: Clock;
  readonly kernelClock: Pick<KernelClock, "now" | "deviceTime">;
  readonly signal: AbortSignal;
}

/**
 * Asks a source for the time, once.
 *
 * @throws OsError `time/no-answer`, `time/no-device`, and those of `parseNtpResponse`
 */
export function queryTime(source: TimeSource, options: QueryOptions): Promise<TimeSample> {
  return source.kind === "ntp" ? queryNtp(source, options) : queryDevice(source.name, options);
}

async function queryNtp(
  { address, family, port }: TimeSource & { readonly kind: "ntp" },
  { clock, kernelClock, signal }: QueryOptions,
): Promise<TimeSample> {
  const nonce = randomBytes(8).readBigUInt64BE();
  using limit = timeLimit(timeoutMs, { clock, signal, reason: timedOut });
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const { promise, resolve, reject } = Promise.withResolvers<readonly [Buffer, bigint]>();
  socket.once("message", (packet) => resolve([packet, kernelClock.now()])).on("error", reject);
  try {
    let sent = kernelClock.now();
    // A connected socket takes answers from nobody else.
    socket.connect(port, address, () => {
      sent = kernelClock.now();
      socket.send(ntpRequest(nonce));
    });
    const [packet, arrived] = await limit.race(promise);
    const answer = parseNtpResponse(packet, nonce);
    const delay = arrived - sent - (answer.transmitted - answer.received);
    const offset = (answer.received - sent + (answer.transmitted - arrived)) / 2n;
    // Below the resolution of both clocks a short way can seem to take less than no time.
    const positive = delay < 0n ? 0n : delay;
    return {
      offset,
      delay: positive,
      rootDistance: answer.rootDistance + positive / 2n,
      leap: answer.leap,
      time: answer.transmitted,
    };
  } finally {
    socket.close();
  }
}

async function queryDevice(path: string, { kernelClock }: QueryOptions): Promise<TimeSample> {
  try {
    const time = kernelClock.deviceTime(path);
    return { offset: time - kernelClock.now(), delay: 0n, rootDistance: 0n, leap: "none", time };
  } catch (err) {
    if (!hasErrno(err, "ENOENT")) throw err;
    throw new OsError({
      kind: "not-found",
      code: "time/no-device",
      message: `Cannot read the time of "${path}": this machine has no such clock device`,
      next: "talosctl list /dev",
      cause: err,
    });
  }
}

function timedOut(): OsError {
  return new OsError({ kind: "deadline-exceeded", code: "time/no-answer", message: "i/o timeout" });
}
