import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { isIPv6, connect, type Socket } from "node:net";
import { once } from "node:events";
import { lookup } from "node:dns/promises";
import { OsError } from "@talos-ts/base";

/** Sends lines to a receiver: over TCP with a line end each, over UDP one in each packet. */
export interface LineSender extends Disposable {
  /** Resolves when the kernel has taken the line. @throws when it could not be sent; the next call connects anew */
  send(line: string, signal: AbortSignal): Promise<void>;
}

/** Longest wait for a connection, or for a receiver that does not read, in ms. */
const timeoutMs = 10_000;

const senders: Readonly<Record<string, (host: string, port: number) => LineSender>> = {
  "tcp:": createTcpSender,
  "udp:": createUdpSender,
};

/** @throws invalid argument unless the address is `tcp://host:port` or `udp://host:port` */
export function createLineSender(address: string): LineSender {
  const { protocol, hostname, port } = new URL(address);
  const create = senders[protocol];
  if (create !== undefined && hostname !== "" && port !== "")
    return create(hostname.replace(/^\[(.*)\]$/, "$1"), Number(port));
  throw new OsError({
    kind: "invalid-argument",
    code: "logs/bad-receiver",
    message: `Cannot send logs to ${JSON.stringify(address)}: expected tcp://host:port or udp://host:port`,
  });
}

function createTcpSender(host: string, port: number): LineSender {
  let socket: Socket | undefined;

  async function open(signal: AbortSignal): Promise<Socket> {
    const opened = connect({ host, port, keepAlive: true });
    // What happens later is told by the next write.
    opened.on("error", () => undefined);
    opened.unref();
    try {
      await once(opened, "connect", { signal });
    } catch (err) {
      opened.destroy();
      throw err;
    }
    // A receiver has nothing to say; reading notices when it goes.
    opened.resume();
    return opened;
  }

  return {
    async send(line, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      if (socket === undefined || socket.destroyed || !socket.writable) socket = await open(limited);
      const current = socket;
      const written = new Promise<void>((resolve, reject) => {
        current.write(`${line}\n`, (err) => (err === undefined || err === null ? resolve() : reject(err)));
      });
      const stop = (): void => void current.destroy(new Error("timed out"));
      limited.addEventListener("abort", stop, { once: true });
      try {
        await written;
      } catch (err) {
        current.destroy();
        throw err;
      } finally {
        limited.removeEventListener("abort", stop);
      }
    },
    [Symbol.dispose]: () => void socket?.end(),
  };
}

function createUdpSender(host: string, port: number): LineSender {
  let socket: DatagramSocket | undefined;
  return {
    async send(line) {
      const { address } = await lookup(host);
      socket ??= createSocket(isIPv6(address) ? "udp6" : "udp4")
        .on("error", () => undefined)
        .unref();
      const current = socket;
      await new Promise<void>((resolve, reject) => {
        current.send(line, port, address, (err) => (err === null ? resolve() : reject(err)));
      });
    },
    [Symbol.dispose]: () => void socket?.close(),
  };
}
