import { closeSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { cString } from "../ffi/c-string.ts";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { openSocket } from "../ffi/open-socket.ts";
import { watchReadable } from "../ffi/poll.ts";
import type { UnixDatagrams } from "./unix-datagrams.ts";

const AF_UNIX = 1;
const SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
const MSG_DONTWAIT = 0x40;
const maxPathBytes = 108;
const maxMessageBytes = 64 * 1024;
/** A sender that never stops must not keep the event loop from anything else. */
const messagesPerTurn = 256;

const open = (): Promise<number> =>
  openSocket({ area: "unix", kind: "unix datagram socket" }, AF_UNIX, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);

/** struct sockaddr_un */
function socketAddress(path: string): Buffer {
  const name = cString(path);
  if (name.length > maxPathBytes) {
    throw kernelError({ area: "unix", action: `use the socket path "${path}"`, errno: "ENAMETOOLONG" });
  }
  const address = Buffer.alloc(2 + maxPathBytes);
  address.writeUInt16LE(AF_UNIX, 0);
  name.copy(address, 2);
  return address;
}

export function createLinuxUnixDatagrams(): UnixDatagrams {
  return {
    async listen({ path, mode, onMessage }) {
      const address = socketAddress(path);
      await rm(path, { force: true });
      const fd = await open();
      if (libc().functions.bind(fd, address, address.length) < 0) {
        const errno = libc().errno();
        closeSync(fd);
        throw kernelError({ area: "unix", action: `listen on "${path}"`, errno });
      }
      await chmod(path, mode);
      const buffer = Buffer.allocUnsafeSlow(maxMessageBytes);
      const watch = watchReadable(fd, () => {
        for (let count = 0; count < messagesPerTurn; count++) {
          const length = Number(libc().functions.recv(fd, buffer, BigInt(maxMessageBytes), MSG_DONTWAIT));
          if (length < 0) return;
          onMessage(Buffer.from(buffer.subarray(0, length)));
        }
      });
      return {
        async [Symbol.asyncDispose]() {
          watch.close();
          closeSync(fd);
          await rm(path, { force: true });
        },
      };
    },
    async send(path, message) {
      const address = socketAddress(path);
      const fd = await open();
      try {
        const sent = libc().functions.sendto(fd, message, BigInt(message.length), 0, address, address.length);
        if (sent < 0n) throw kernelError({ area: "unix", action: `send to "${path}"`, errno: libc().errno() });
      } finally {
        closeSync(fd);
      }
    },
  };
}
