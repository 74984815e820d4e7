import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { OsError } from "@talos-ts/base";
import {
  attachSocket,
  keepAlive,
  localPeerLimits,
  type Field,
  type Http2Connection,
  type Http2Stream,
  type KeepAlive,
} from "@talos-ts/http2";
import type { TransportLimits } from "../limits.ts";
import { peerOf, type Peer } from "../peer.ts";
import { materialOf, secureContextOptions, serverOptions, type ServerTls } from "../server-tls.ts";
import { createCallerConnections } from "./caller-connections.ts";
import { createClientGate } from "./client-gate.ts";
import { createHandshakeQueue } from "./handshake-queue.ts";

export interface ListenerOptions extends Required<TransportLimits> {
  readonly tls: ServerTls | undefined;
  readonly peers: "local" | "remote";
  readonly maxConcurrentStreams: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerCaller: number;
  readonly maxHandshakes: number;
  readonly maxHandshakesPerAddress: number;
  readonly handshakeTimeoutMs: number;
  readonly keepAlive: KeepAlive;
  readonly onStream: (stream: Http2Stream, fields: readonly Field[], peer: Peer) => void;
}

export interface Listener {
  readonly server: Server;
  /** Lets open calls finish for `graceMs`, then ends the connections. */
  close(graceMs: number): Promise<void>;
}

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 } as const;

/** An HTTP/2 server whose peers can cost at most their own connection. */
export function createListener(options: ListenerOptions): Listener {
  const { tls, handshakeTimeoutMs } = options;
  const limits = {
    ...(options.peers === "local" && localPeerLimits),
    maxConcurrentStreams: options.maxConcurrentStreams,
    streamWindowBytes: options.streamWindowBytes,
    connectionWindowBytes: options.sessionWindowBytes,
    handshakeTimeoutMs,
  };
  const server = tls === undefined ? createServer(socketOptions) : secureServer(tls, handshakeTimeoutMs);
  // Handshakes have places of their own: strangers must not take those of callers with a certificate.
  server.maxConnections = options.maxConnections + options.maxHandshakes;
  const connections = new Set<Http2Connection>();
  const sockets = new Set<Socket>();
  const handshakes = createHandshakeQueue({
    max: options.maxHandshakes,
    maxPerAddress: options.maxHandshakesPerAddress,
  });
  const callers = createCallerConnections(options.maxConnectionsPerCaller);

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    if (tls !== undefined) handshakes.enter(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      handshakes.leave(socket);
    });
    if (tls === undefined) accept(socket);
  });
  const gate = tls?.clientAuth === "require" ? createClientGate(server) : undefined;
  server.on("secureConnection", (socket: TLSSocket) => {
    handshakes.leave(socket);
    if (gate?.admits(socket) === false) return;
    if (socket.alpnProtocol === "h2") accept(socket);
    else socket.destroy();
  });
  server.on("tlsClientError", (_err: Error, socket: Socket) => socket.destroy());

  function accept(socket: Socket): void {
    const peer = peerOf(socket);
    const place = connections.size < options.maxConnections ? callers.enter(peer) : undefined;
    if (place === undefined) {
      socket.destroy();
      return;
    }
    let stopKeepAlive = (): void => undefined;
    const { connection } = attachSocket(
      socket,
      { role: "server", limits },
      {
        request: (stream, fields) => options.onStream(stream, fields, peer),
        ready: () => {
          stopKeepAlive = keepAlive(connection, options.keepAlive);
        },
        end: () => stopKeepAlive(),
        close: () => {
          connections.delete(connection);
          place[Symbol.dispose]();
        },
      },
    );
    connections.add(connection);
  }

  return {
    server,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.close();
      handshakes.clear();
      const force = setTimeout(() => {
        for (const connection of connections) connection.destroy();
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(force);
    },
  };
}

function secureServer(tls: ServerTls, handshakeTimeoutMs: number): Server {
  let material = materialOf(tls);
  const server = createTlsServer({
    ...socketOptions,
    ...serverOptions(tls, material),
    handshakeTimeout: handshakeTimeoutMs,
  });
  server.prependListener("connection", () => {
    try {
      const next = materialOf(tls);
      if (next !== material) {
        server.setSecureContext(secureContextOptions(tls, next));
        material = next;
      }
    } catch (err) {
      // Serving with the last good material beats serving nobody.
      tls.onError?.(OsError.from(err));
    }
  });
  return server;
}
