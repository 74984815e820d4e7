import { cString } from "../ffi/c-string.ts";
import { errnoName, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { openSocket } from "../ffi/open-socket.ts";
import { watchReadable, type FdWatch } from "../ffi/poll.ts";

const AF_NETLINK = 16;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const SOCK_NONBLOCK = 0o4000;
const SOL_SOCKET = 1;
const SO_RCVBUFFORCE = 33;
const SOL_NETLINK = 270;
const NETLINK_EXT_ACK = 11;
const NETLINK_GET_STRICT_CHK = 12;
const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;

const protocols = { route: 0, uevent: 15, generic: 16 } as const;

export interface NetlinkSocketOptions {
  readonly protocol: keyof typeof protocols;
  /** Multicast groups to join, as a bit mask. @default {0} */
  readonly groups?: number;
  /** A network namespace file (`/proc/<pid>/ns/net`, `/run/netns/x`) to open the socket in. */
  readonly networkNamespace?: string | undefined;
  /** @default {262144} */
  readonly receiveBufferBytes?: number;
}

/** A netlink socket; all its calls return at once. */
export interface NetlinkSocket extends Disposable {
  send(bytes: Buffer): void;
  /** One datagram, or `undefined` when none waits. @throws OsError with errno ENOBUFS when the kernel dropped some. */
  receive(): Buffer | undefined;
  onReadable(callback: () => void): FdWatch;
}

export async function openNetlink(options: NetlinkSocketOptions): Promise<NetlinkSocket> {
  const { functions, errno } = libc();
  const protocol = protocols[options.protocol];
  const place = { area: "netlink", kind: "netlink socket", networkNamespace: options.networkNamespace };
  const fd = await openSocket(place, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);

  const setOption = (level: number, name: number, value: number): boolean => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return functions.setsockopt(fd, level, name, bytes, bytes.length) === 0;
  };
  // All three only improve the service: fuller error texts, honest filters, fewer overruns.
  if (options.protocol !== "uevent") setOption(SOL_NETLINK, NETLINK_EXT_ACK, 1);
  if (options.protocol === "route") setOption(SOL_NETLINK, NETLINK_GET_STRICT_CHK, 1);
  setOption(SOL_SOCKET, SO_RCVBUFFORCE, options.receiveBufferBytes ?? 256 * 1024);

  const address = Buffer.alloc(12);
  address.writeUInt16LE(AF_NETLINK, 0);
  address.writeUInt32LE((options.groups ?? 0) >>> 0, 8);
  if (functions.bind(fd, address, address.length) < 0) {
    const failure = errno();
    functions.close(fd);
    throw kernelError({ area: "netlink", action: "bind a netlink socket", errno: failure });
  }

  let open = true;
  let buffer = Buffer.allocUnsafeSlow(32 * 1024);
  return {
    send(bytes) {
      if (functions.sendto(fd, bytes, BigInt(bytes.length), 0, null, 0) < 0n) {
        throw kernelError({ area: "netlink", action: "send a netlink request", errno: errno() });
      }
    },
    receive() {
      if (!open) return undefined;
      // The kernel never cuts a dump to fit, so a datagram longer than the buffer is measured before it is taken.
      const waiting = functions.recv(fd, null, 0n, MSG_DONTWAIT | MSG_TRUNC | MSG_PEEK);
      if (waiting > BigInt(buffer.length)) buffer = Buffer.allocUnsafeSlow(Number(waiting));
      const length = functions.recv(fd, buffer, BigInt(buffer.length), MSG_DONTWAIT | MSG_TRUNC);
      if (length >= 0n) return Buffer.from(buffer.subarray(0, Math.min(Number(length), buffer.length)));
      const failure = errno();
      if (errnoName(failure) === "EAGAIN") return undefined;
      throw kernelError({ area: "netlink", action: "receive from a netlink socket", errno: failure });
    },
    onReadable: (callback) => watchReadable(fd, callback),
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      functions.close(fd);
    },
  };
}

const MSG_PEEK = 2;

/** Opens a file of /proc/<pid>/ns and hands out its descriptor. */
export function openNamespaceFile(path: string): { readonly fd: number } & Disposable {
  const fd = libc().functions.open(cString(path), 0o2000000);
  if (fd < 0) {
    throw kernelError({
      area: "namespace",
      action: `open namespace "${path}"`,
      errno: libc().errno(),
      details: { path },
    });
  }
  return { fd, [Symbol.dispose]: () => void libc().functions.close(fd) };
}
