import { errnoName, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { openSocket } from "../ffi/open-socket.ts";
import { createMessageReceiver } from "../ffi/receive-message.ts";
import { watchReadable, type FdWatch } from "../ffi/poll.ts";
import type { BpfInstruction, CapturedFrame, PacketCapture, PacketCaptureOptions } from "./packet-capture.ts";

const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const SOCK_NONBLOCK = 0o4000;
const ETH_P_ALL = 0x0003;
const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const SO_RCVBUFFORCE = 33;
const SO_TIMESTAMPNS = 35;
const SOL_PACKET = 263;
const PACKET_ADD_MEMBERSHIP = 1;
const PACKET_STATISTICS = 6;
const PACKET_MR_PROMISC = 1;
/** Buffer of the socket, in bytes: the bound of what waits for a slow reader. */
const receiveBufferBytes = 4 * 1024 * 1024;
/** Bytes after which a batch is handed over. */
const batchBytes = 64 * 1024;

/** struct sockaddr_ll of every protocol on a link. */
function linkAddress(linkIndex: number): Buffer {
  const address = Buffer.alloc(20);
  address.writeUInt16LE(AF_PACKET, 0);
  address.writeUInt16BE(ETH_P_ALL, 2);
  address.writeInt32LE(linkIndex, 4);
  return address;
}

/** struct sock_filter[] */
function encodeProgram(filter: readonly BpfInstruction[]): Buffer {
  const program = Buffer.allocUnsafeSlow(filter.length * 8);
  for (const [index, { op, jt, jf, k }] of filter.entries()) {
    program.writeUInt16LE(op, index * 8);
    program.writeUInt8(jt, index * 8 + 2);
    program.writeUInt8(jf, index * 8 + 3);
    program.writeUInt32LE(k, index * 8 + 4);
  }
  return program;
}

/** struct packet_mreq */
function promiscuousMembership(linkIndex: number): Buffer {
  const membership = Buffer.alloc(16);
  membership.writeInt32LE(linkIndex, 0);
  membership.writeUInt16LE(PACKET_MR_PROMISC, 4);
  return membership;
}

export async function openPacketCapture(
  networkNamespace: string | undefined,
  options: PacketCaptureOptions,
): Promise<PacketCapture> {
  const { functions, errno, ffi } = libc();
  const { linkIndex, filter = [], snapLength } = options;
  const place = { area: "packet", kind: "packet socket", networkNamespace };
  // The protocol is none until the socket is bound, so that nothing passes before the filter stands.
  const fd = await openSocket(place, AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const check = (result: number, action: string): void => {
    if (result >= 0) return;
    const failure = errno();
    functions.close(fd);
    throw kernelError({ area: "packet", action, errno: failure });
  };
  const setOption = (level: number, name: number, value: Buffer): number =>
    functions.setsockopt(fd, level, name, value, value.length);
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };

  // A larger buffer only improves the service.
  setOption(SOL_SOCKET, SO_RCVBUFFORCE, number(receiveBufferBytes));
  check(setOption(SOL_SOCKET, SO_TIMESTAMPNS, number(1)), "have packets stamped with their time");
  if (filter.length > 0) {
    const program = encodeProgram(filter);
    const description = Buffer.alloc(16);
    description.writeUInt16LE(filter.length, 0);
    description.writeBigUInt64LE(ffi.getRawPointer(program), 8);
    check(
      setOption(SOL_SOCKET, SO_ATTACH_FILTER, description),
      `attach a BPF filter of ${String(filter.length)} instructions`,
    );
  }
  const address = linkAddress(linkIndex);
  check(functions.bind(fd, address, address.length), `bind a packet socket to link ${String(linkIndex)}`);
  if (options.promiscuous === true) {
    check(
      setOption(SOL_PACKET, PACKET_ADD_MEMBERSHIP, promiscuousMembership(linkIndex)),
      `make link ${String(linkIndex)} promiscuous`,
    );
  }

  const receive = createMessageReceiver(fd, snapLength);
  const ended = Promise.withResolvers<void>();
  let watch: FdWatch | undefined;
  let open = true;

  /** Frames that wait, up to the size of a batch. */
  function take(): readonly CapturedFrame[] {
    const batch: CapturedFrame[] = [];
    for (let bytes = 0; bytes < batchBytes;) {
      const frame = receive();
      if (typeof frame === "number") {
        // A link that goes down is told once; the capture goes on when it comes up again.
        const name = errnoName(frame);
        if (name === "EAGAIN" || name === "ENETDOWN") break;
        throw kernelError({ area: "packet", action: "receive from a packet socket", errno: frame });
      }
      batch.push(frame);
      bytes += frame.bytes.length;
    }
    return batch;
  }

  async function* batches(): AsyncGenerator<readonly CapturedFrame[]> {
    for (;;) {
      if (!open) return;
      const batch = take();
      if (batch.length > 0) {
        yield batch;
        continue;
      }
      const readable = Promise.withResolvers<void>();
      watch = watchReadable(fd, readable.resolve);
      await Promise.race([readable.promise, ended.promise]);
      watch.close();
    }
  }

  return {
    batches: batches(),
    statistics() {
      const [counters, length] = [Buffer.alloc(8), number(8)];
      if (!open || functions.getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, counters, length) < 0)
        return { frames: 0, dropped: 0 };
      return { frames: counters.readUInt32LE(0), dropped: counters.readUInt32LE(4) };
    },
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      watch?.close();
      ended.resolve();
      functions.close(fd);
    },
  };
}
