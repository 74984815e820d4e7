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
import { createSilentSockets } from "./silent-sockets.ts";

export interface ListenerOptions extends Required<TransportLimits> {
  readonly tls: ServerTls | undefined;
  readonly peers: "local" | "remote";
  readonly maxConcurrentStreams: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerCaller: number;
  readonly maxHandshakes: number;
  readonly maxHandshakesPerAddress: number;
  readonly maxSilent: number;
  readonly maxSilentPerAddress: number;
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
    sharedWindowBytes: options.sharedWindowBytes,
    connectionWindowBytes: options.sessionWindowBytes,
    handshakeTimeoutMs,
  };
  const server = createServer(socketOptions);
  // Those who have not said who they are have places of their own: they must not take those of callers with a certificate.
  server.maxConnections = options.maxConnections + options.maxHandshakes + options.maxSilent;
  const connections = new Set<Http2Connection>();
  const sockets = new Set<Socket>();
  const callers = createCallerConnections(options.maxConnectionsPerCaller);
  const handshakes = tls === undefined ? undefined : secure(tls);

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    if (handshakes === undefined) accept(socket);
    else handshakes.enter(socket);
  });

  /** Has connections finish a TLS handshake before they are accepted. */
  function secure(material: ServerTls): { enter(socket: Socket): void; clear(): void } {
    const silent = createSilentSockets({
      max: options.maxSilent,
      maxPerAddress: options.maxSilentPerAddress,
      timeoutMs: handshakeTimeoutMs,
    });
    const queue = createHandshakeQueue({ max: options.maxHandshakes, maxPerAddress: options.maxHandshakesPerAddress });
    const tlsServer = secureServer(material, handshakeTimeoutMs);
    const gate = material.clientAuth === "require" ? createClientGate(tlsServer) : undefined;
    tlsServer.on("secureConnection", (socket: TLSSocket) => {
      queue.leave(socket);
      if (gate?.admits(socket) === false) return;
      if (socket.alpnProtocol === "h2") accept(socket);
      else socket.destroy();
    });
    tlsServer.on("tlsClientError", (_err: Error, socket: Socket) => socket.destroy());
    return {
      enter(socket) {
        silent.enter(socket, () => {
          queue.enter(socket);
          socket.once("close", () => queue.leave(socket));
          tlsServer.emit("connection", socket);
        });
      },
      clear() {
        silent.clear();
        queue.clear();
      },
    };
  }

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
      handshakes?.clear();
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
