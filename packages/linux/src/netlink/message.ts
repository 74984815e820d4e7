import { malformed } from "../ffi/errno.ts";
import { parseAttributes } from "./attributes.ts";
import { readText } from "./values.ts";

const NLMSG_HEADER = 16;

/** Message types common to all netlink families. */
export const controlTypes = { NOOP: 1, ERROR: 2, DONE: 3, OVERRUN: 4 } as const;

export const messageFlags = {
  NLM_F_REQUEST: 0x1,
  NLM_F_MULTI: 0x2,
  NLM_F_ACK: 0x4,
  NLM_F_DUMP_INTR: 0x10,
  NLM_F_CAPPED: 0x100,
  NLM_F_ACK_TLVS: 0x200,
  NLM_F_REPLACE: 0x100,
  NLM_F_DUMP: 0x300,
  NLM_F_EXCL: 0x200,
  NLM_F_CREATE: 0x400,
  NLM_F_APPEND: 0x800,
} as const;

export interface NetlinkMessage {
  readonly type: number;
  readonly flags: number;
  readonly sequence: number;
  readonly portId: number;
  readonly payload: Buffer;
}

export function encodeMessage(message: Omit<NetlinkMessage, "portId">): Buffer {
  const bytes = Buffer.alloc(NLMSG_HEADER + message.payload.length);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt16LE(message.type, 4);
  bytes.writeUInt16LE(message.flags, 6);
  bytes.writeUInt32LE(message.sequence, 8);
  message.payload.copy(bytes, NLMSG_HEADER);
  return bytes;
}

/** The messages of one datagram. @throws OsError `netlink/malformed` */
export function parseMessages(bytes: Buffer): readonly NetlinkMessage[] {
  const messages: NetlinkMessage[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = offset + NLMSG_HEADER <= bytes.length ? bytes.readUInt32LE(offset) : 0;
    if (length < NLMSG_HEADER || offset + length > bytes.length) {
      throw malformed("netlink", "a netlink message: its length does not fit its datagram", { offset, length });
    }
    messages.push({
      type: bytes.readUInt16LE(offset + 4),
      flags: bytes.readUInt16LE(offset + 6),
      sequence: bytes.readUInt32LE(offset + 8),
      portId: bytes.readUInt32LE(offset + 12),
      payload: bytes.subarray(offset + NLMSG_HEADER, offset + length),
    });
    offset += (length + 3) & ~3;
  }
  return messages;
}

const NLMSGERR_ATTR_MSG = 1;

export interface NetlinkAnswer {
  /** Zero is success. */
  readonly errno: number;
  /** The kernel's own words, where it has any. */
  readonly reason: string | undefined;
}

/** The content of an ERROR or DONE message. */
export function parseAnswer(message: NetlinkMessage): NetlinkAnswer {
  if (message.payload.length < 4) {
    if (message.type === controlTypes.DONE) return { errno: 0, reason: undefined };
    throw malformed("netlink", "a netlink error without a number");
  }
  const errno = -message.payload.readInt32LE(0);
  if ((message.flags & messageFlags.NLM_F_ACK_TLVS) === 0) return { errno, reason: undefined };
  let offset = 4;
  if (message.type === controlTypes.ERROR) {
    // The request comes back: only its header when the answer is capped.
    const capped = (message.flags & messageFlags.NLM_F_CAPPED) !== 0;
    const echoed = message.payload.length >= 8 ? message.payload.readUInt32LE(4) : 0;
    offset += capped ? NLMSG_HEADER : (echoed + 3) & ~3;
  }
  if (offset >= message.payload.length) return { errno, reason: undefined };
  return { errno, reason: readText(parseAttributes(message.payload.subarray(offset)), NLMSGERR_ATTR_MSG) };
}
