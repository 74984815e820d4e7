import { libc } from "./libc.ts";

const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;
const SOL_SOCKET = 1;
/** Type of the control message with the time of arrival (SO_TIMESTAMPNS). */
const SCM_TIMESTAMPNS = 35;
const controlBytes = 64;

/** A datagram with the time the kernel got it. */
export interface StampedMessage {
  /** Since the epoch; 0 when the socket does not stamp. */
  readonly nanoseconds: bigint;
  /** A copy of its first bytes. */
  readonly bytes: Buffer;
  readonly originalLength: number;
}

/** Returns a function that receives one datagram (recvmsg(2)) without waiting, or gives the errno. */
export function createMessageReceiver(fd: number, maxBytes: number): () => StampedMessage | number {
  const { functions, errno, ffi } = libc();
  const data = Buffer.allocUnsafeSlow(maxBytes);
  const control = Buffer.allocUnsafeSlow(controlBytes);
  const vector = Buffer.allocUnsafeSlow(16);
  vector.writeBigUInt64LE(ffi.getRawPointer(data), 0);
  vector.writeBigUInt64LE(BigInt(maxBytes), 8);
  const header = Buffer.alloc(56);
  return () => {
    header.writeBigUInt64LE(ffi.getRawPointer(vector), 16);
    header.writeBigUInt64LE(1n, 24);
    header.writeBigUInt64LE(ffi.getRawPointer(control), 32);
    header.writeBigUInt64LE(BigInt(controlBytes), 40);
    const length = functions.recvmsg(fd, header, MSG_DONTWAIT | MSG_TRUNC);
    if (length < 0n) return errno();
    return {
      nanoseconds: timestamp(control.subarray(0, Number(header.readBigUInt64LE(40)))),
      bytes: Buffer.from(data.subarray(0, Math.min(Number(length), maxBytes))),
      originalLength: Number(length),
    };
  };
}

/** Reads struct timespec of the first control message that has one. */
function timestamp(control: Buffer): bigint {
  for (let at = 0; at + 16 <= control.length;) {
    const length = Number(control.readBigUInt64LE(at));
    if (control.readInt32LE(at + 8) === SOL_SOCKET && control.readInt32LE(at + 12) === SCM_TIMESTAMPNS)
      return control.readBigInt64LE(at + 16) * 1_000_000_000n + control.readBigInt64LE(at + 24);
    at += Math.max(16, Math.ceil(length / 8) * 8);
  }
  return 0n;
}
