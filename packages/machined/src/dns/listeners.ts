import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket as Connection } from "node:net";
import type { Forwarder } from "./forwarder.ts";
import { createFrameReader, frame } from "./frame.ts";
import { fitDatagram } from "./message.ts";

/** A connection that says nothing for so long is closed. */
const idleMs = 10_000;
const maxConnections = 256;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A running listener; disposing closes it and everything that came through it. */
export interface Listener extends AsyncDisposable {
  /** The port it got when it asked for any. */
  readonly port: number;
}

/** @throws when the address cannot be listened on */
export async function listenUdp({ host, port }: ListenAddress, forwarder: Forwarder): Promise<Listener> {
  const socket: Socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", (query, from) => {
    void forwarder.answer(query).then((answer) => {
      if (answer === undefined) return;
      const { bytes, question } = answer;
      reply(socket, question === undefined ? bytes : fitDatagram(bytes, question), from);
    });
  });
  try {
    socket.bind(port, host);
    await once(socket, "listening");
  } catch (err) {
    socket.close();
    throw err;
  }
  // What the network refuses for one client is no reason to stop for all.
  socket.on("error", () => undefined);
  return {
    port: socket.address().port,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function reply(socket: Socket, bytes: Buffer, to: { readonly address: string; readonly port: number }): void {
  try {
    socket.send(bytes, to.port, to.address, () => undefined);
  } catch {
    // Closed in between: nobody is left to answer.
  }
}

/** @throws when the address cannot be listened on */
export async function listenTcp({ host, port }: ListenAddress, forwarder: Forwarder): Promise<Listener> {
  const open = new Set<Connection>();
  const server = createServer((connection) => {
    open.add(connection);
    const read = createFrameReader();
    connection.setTimeout(idleMs, () => connection.destroy());
    connection.on("error", () => connection.destroy());
    connection.on("close", () => open.delete(connection));
    connection.on("data", (chunk: Buffer) => {
      for (const query of read(chunk)) {
        void forwarder.answer(query).then((answer) => {
          if (answer !== undefined && connection.writable) connection.write(frame(answer.bytes));
        });
      }
    });
  });
  server.maxConnections = maxConnections;
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      for (const connection of open) connection.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
