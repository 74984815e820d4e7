import { OsError } from "@talos-ts/base";

const packetBytes = 48;
/** Seconds between the epochs of NTP and Unix. */
const epochOffset = 2_208_988_800n;
const versionAndMode = 0x23;
const serverMode = 4;
const nanosecondsPerSecond = 1_000_000_000n;
/** A server that is this far from its reference clock is not believed; the limit of systemd-timesyncd. */
const maxRootDistance = 5n * nanosecondsPerSecond;

/** Offsets of the fields of a packet (RFC 5905, section 7.3). */
const at = { rootDelay: 4, rootDispersion: 8, referenceId: 12, reference: 16, origin: 24, receive: 32, transmit: 40 };

/** A leap second at the end of the day, as the server announces it. */
export type Leap = "none" | "insert" | "delete";

const leaps: readonly (Leap | undefined)[] = ["none", "insert", "delete", undefined];

/** Makes a request that carries a random number in place of the local time, so that only the answer to it is believed. */
export function ntpRequest(nonce: bigint): Buffer {
  const packet = Buffer.alloc(packetBytes);
  packet[0] = versionAndMode;
  packet.writeBigUInt64BE(nonce, at.transmit);
  return packet;
}

/** Answer of a server. Times are in nanoseconds since 1970. */
export interface NtpAnswer {
  /** Time at which the request arrived at the server. */
  readonly received: bigint;
  /** Time at which the answer left it. */
  readonly transmitted: bigint;
  readonly leap: Leap;
  readonly stratum: number;
  /** Largest error of the server's own clock. */
  readonly rootDistance: bigint;
}

/**
 * Reads an answer and checks it (RFC 5905, sections 8 and 11).
 *
 * @throws OsError `time/bad-response` when the server is not in sync or answers something else; `time/kiss-of-death` when it
 *   refuses service, with its code in the detail `kiss`
 */
export function parseNtpResponse(packet: Buffer, nonce: bigint): NtpAnswer {
  if (packet.length < packetBytes) throw invalid("response is too short");
  const [flags = 0, stratum = 0] = packet;
  const leap = leaps[flags >> 6];
  if ((flags & 7) !== serverMode) throw invalid("invalid mode in response");
  if (packet.readBigUInt64BE(at.origin) !== nonce) throw invalid("server response mismatch");
  if (stratum === 0)
    throw kissOfDeath(packet.toString("latin1", at.referenceId, at.referenceId + 4).replaceAll("\0", ""));
  if (stratum >= 16) throw invalid("invalid stratum in response");
  if (leap === undefined) throw invalid("invalid leap second in response");
  const time = (offset: number): bigint => packet.readBigUInt64BE(offset);
  if (time(at.transmit) === 0n) throw invalid("invalid transmit time in response");
  const [received, transmitted] = [unixNanoseconds(time(at.receive)), unixNanoseconds(time(at.transmit))];
  if (time(at.receive) === 0n || received > transmitted) throw invalid("invalid receive time in response");
  if (time(at.reference) !== 0n && unixNanoseconds(time(at.reference)) > transmitted) {
    throw invalid("invalid reference time in response");
  }
  const rootDistance = shortNanoseconds(packet, at.rootDelay) / 2n + shortNanoseconds(packet, at.rootDispersion);
  if (rootDistance > maxRootDistance) throw invalid("invalid dispersion in response");
  return { received, transmitted, leap, stratum, rootDistance };
}

/** Seconds and a binary fraction; the seconds begin anew in 2036. */
function unixNanoseconds(time: bigint): bigint {
  const era = time >> 63n === 0n ? 1n << 32n : 0n;
  const seconds = (time >> 32n) + era - epochOffset;
  return seconds * nanosecondsPerSecond + (((time & 0xffff_ffffn) * nanosecondsPerSecond) >> 32n);
}

/** The short format: sixteen bits each of seconds and of their fraction. */
function shortNanoseconds(packet: Buffer, offset: number): bigint {
  return (BigInt(packet.readUInt32BE(offset)) * nanosecondsPerSecond) >> 16n;
}

function kissOfDeath(kiss: string): OsError {
  const message = `kiss of death received: ${kiss}`;
  return new OsError({ kind: "unavailable", code: "time/kiss-of-death", message, details: { kiss } });
}

function invalid(message: string): OsError {
  return new OsError({ kind: "unavailable", code: "time/bad-response", message });
}
