import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A TCP server on a free port of the loopback address. */
export interface TestUpstream extends AsyncDisposable {
  readonly port: number;
}

/** Starts a server that hands each connection over. */
export async function startUpstream(onConnection: (socket: Socket) => void): Promise<TestUpstream> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  await using upstream = await startUpstream(() => undefined);
  return upstream.port;
}

/** Everything the other side sends until it ends. */
export async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Without the option the end of the loop destroys the socket, and nothing could be answered.
  const source = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
