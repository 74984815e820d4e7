import { OsError } from "@talos-ts/base";
import { kernelError, malformed } from "../ffi/errno.ts";
import {
  controlTypes,
  encodeMessage,
  messageFlags,
  parseAnswer,
  parseMessages,
  type NetlinkMessage,
} from "./message.ts";
import type { NetlinkSocket } from "./socket.ts";

export interface NetlinkRequest {
  readonly type: number;
  /** Beside NLM_F_REQUEST and NLM_F_ACK, which are always set. */
  readonly flags?: number;
  readonly payload: Buffer;
  /** Continues the word "Cannot" in the error. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Sends a request and collects everything the kernel answers up to its acknowledgement. */
export type NetlinkCall = (request: NetlinkRequest) => Promise<readonly NetlinkMessage[]>;

const DUMP_ATTEMPTS = 8;

/**
 * Calls over one socket, one at a time.
 *
 * The kernel works on a request while it is sent, so the answer nearly always waits already; only where it does not, the
 * call waits for the socket in the event loop.
 */
export function createNetlinkCall(socket: NetlinkSocket): NetlinkCall {
  let sequence = 0;
  let tail: Promise<unknown> = Promise.resolve();

  async function attempt(request: NetlinkRequest): Promise<{ messages: readonly NetlinkMessage[]; torn: boolean }> {
    sequence = (sequence + 1) >>> 0;
    const flags = (request.flags ?? 0) | messageFlags.NLM_F_REQUEST | messageFlags.NLM_F_ACK;
    socket.send(encodeMessage({ type: request.type, flags, sequence, payload: request.payload }));
    const messages: NetlinkMessage[] = [];
    let torn = false;
    for (;;) {
      const datagram = socket.receive();
      if (datagram === undefined) {
        await readable(socket);
        continue;
      }
      for (const message of parseMessages(datagram)) {
        if (message.sequence !== sequence) continue;
        if ((message.flags & messageFlags.NLM_F_DUMP_INTR) !== 0) torn = true;
        if (message.type === controlTypes.ERROR || message.type === controlTypes.DONE) {
          const { errno, reason } = parseAnswer(message);
          if (errno === 0) return { messages, torn };
          throw kernelError({
            area: "netlink",
            action: request.action,
            errno,
            reason,
            ...(request.details === undefined ? {} : { details: request.details }),
          });
        }
        if (message.type === controlTypes.OVERRUN)
          throw malformed("netlink", "a netlink answer: the kernel lost a part");
        if (message.type !== controlTypes.NOOP) messages.push(message);
      }
    }
  }

  async function call(request: NetlinkRequest): Promise<readonly NetlinkMessage[]> {
    for (let count = 0; count < DUMP_ATTEMPTS; count++) {
      const { messages, torn } = await attempt(request);
      // A table that changed while it was dumped may lack rows: ask again.
      if (!torn) return messages;
    }
    throw new OsError({
      kind: "aborted",
      code: "netlink/torn-dump",
      message: `Cannot ${request.action}: the table changed during each of ${String(DUMP_ATTEMPTS)} attempts`,
    });
  }

  return (request) => {
    const result = tail.then(() => call(request));
    tail = result.catch(() => undefined);
    return result;
  };
}

async function readable(socket: NetlinkSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _watch = socket.onReadable(resolve);
  await promise;
}
