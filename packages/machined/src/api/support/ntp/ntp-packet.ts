import { OsError } from "@talos-ts/base";

const packetBytes = 48;
/** Seconds between the epochs of NTP and Unix. */
const epochOffset = 2_208_988_800n;
const versionAndMode = 0x23;

/** A question that names its own moment, so that only the answer to it is believed. */
export function ntpRequest(nonce: bigint): Buffer {
  const packet = Buffer.alloc(packetBytes);
  packet[0] = versionAndMode;
  packet.writeBigUInt64BE(nonce, 40);
  return packet;
}

export interface NtpTime {
  readonly nanoseconds: bigint;
}

/**
 * The time in an answer.
 *
 * @throws when the server is not in sync, refuses service, or answers something else
 */
export function parseNtpResponse(packet: Buffer, nonce: bigint): NtpTime {
  if (packet.length < packetBytes) throw invalid("response is too short");
  const [flags = 0, stratum = 0] = packet;
  if ((flags & 7) !== 4) throw invalid("invalid mode in response");
  if (packet.readBigUInt64BE(24) !== nonce) throw invalid("server response mismatch");
  if (stratum === 0) throw invalid(`kiss of death received: ${packet.toString("latin1", 12, 16)}`);
  if (stratum >= 16) throw invalid("invalid stratum in response");
  if (flags >> 6 === 3) throw invalid("invalid leap second in response");
  const transmitted = packet.readBigUInt64BE(40);
  if (transmitted === 0n) throw invalid("invalid transmit time in response");
  return { nanoseconds: unixNanoseconds(transmitted) };
}

/** Seconds and a binary fraction; the seconds begin anew in 2036. */
function unixNanoseconds(time: bigint): bigint {
  const era = time >> 63n === 0n ? 1n << 32n : 0n;
  const seconds = (time >> 32n) + era - epochOffset;
  return seconds * 1_000_000_000n + (((time & 0xffff_ffffn) * 1_000_000_000n) >> 32n);
}

function invalid(message: string): OsError {
  return new OsError({ kind: "unavailable", code: "time/bad-response", message });
}
