import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Server, Socket } from "node:net";
import { OsError } from "@talos-ts/base";
import { sessionMemoryMegabytes, type TransportLimits } from "../limits.ts";
import { peerOf, type Peer } from "../peer.ts";
import { materialOf, secureContextOptions, serverOptions, type ServerTls } from "../server-tls.ts";
import { createCallerConnections } from "./caller-connections.ts";
import { createHandshakeQueue } from "./handshake-queue.ts";
import { keepAlive, type KeepAlive } from "./keep-alive.ts";

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
  readonly onStream: (
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    peer: Peer,
  ) => void;
}

export interface Listener {
  readonly server: Server;
  /** Lets open calls finish for `graceMs`, then ends the connections. */
  close(graceMs: number): Promise<void>;
}

/**
 * How many resets a connection may make at once, and how many per second it earns back.
 *
 * A peer on this machine is a proxy as often as not: the cancellations of all its callers come through one connection,
 * and cutting that for the sins of one would hurt them all.
 */
const resetBounds = {
  remote: { streamResetBurst: 1000, streamResetRate: 100 },
  local: { streamResetBurst: 100_000, streamResetRate: 10_000 },
} as const;

/** An HTTP/2 server whose peers can cost at most their own connection. */
export function createListener(options: ListenerOptions): Listener {
  const settings = {
    initialWindowSize: options.streamWindowBytes,
    maxConcurrentStreams: options.maxConcurrentStreams,
    enablePush: false,
  };
  const bounds = {
    settings,
    maxSessionMemory: sessionMemoryMegabytes,
    maxSessionInvalidFrames: 32,
    maxSessionRejectedStreams: 100,
    ...resetBounds[options.peers],
  };
  const server = options.tls === undefined ? createServer(bounds) : secureServer(options.tls, bounds, options);
  // Handshakes have places of their own: strangers must not take those of callers with a certificate.
  server.maxConnections = options.maxConnections + options.maxHandshakes;
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  const handshakes = createHandshakeQueue({
    max: options.maxHandshakes,
    maxPerAddress: options.maxHandshakesPerAddress,
  });
  const callers = createCallerConnections(options.maxConnectionsPerCaller);
  let current: Socket | undefined;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    if (options.tls !== undefined) handshakes.enter(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      handshakes.leave(socket);
    });
  });
  // Node makes the session inside this event, which is how the session's own socket is known without its proxy.
  server.prependListener(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    current = socket;
    handshakes.leave(socket);
  });
  server.on("session", (session: ServerHttp2Session) => {
    const peer = peerOf(current as Socket);
    const place = sessions.size < options.maxConnections ? callers.enter(peer) : undefined;
    if (place === undefined) {
      session.destroy();
      return;
    }
    sessions.add(session);
    session.once("close", () => place[Symbol.dispose]());
    adopt(session, peer);
  });
  server.on("sessionError", (_err, session) => session.destroy());
  server.on("unknownProtocol", (socket) => socket.destroy());
  server.on("tlsClientError", (_err: Error, socket: Socket) => socket.destroy());

  function adopt(session: ServerHttp2Session, peer: Peer): void {
    let open = 0;
    const handshakeTimer = setTimeout(() => session.destroy(), options.handshakeTimeoutMs);
    handshakeTimer.unref();
    session.once("remoteSettings", () => {
      clearTimeout(handshakeTimer);
      keepAlive(session, options.keepAlive, () => open === 0);
    });
    session.once("close", () => {
      clearTimeout(handshakeTimer);
      sessions.delete(session);
    });
    session.setLocalWindowSize(options.sessionWindowBytes);
    session.on("stream", (stream, headers, _flags, rawHeaders) => {
      open += 1;
      stream.once("close", () => {
        open -= 1;
      });
      stream.on("error", ignore);
      options.onStream(stream, headers, rawHeaders, peer);
    });
  }

  return {
    server,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      handshakes.clear();
      const force = setTimeout(() => {
        for (const session of sessions) session.destroy();
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(force);
    },
  };
}

function secureServer(tls: ServerTls, bounds: object, options: ListenerOptions): ReturnType<typeof createSecureServer> {
  let material = materialOf(tls);
  const server = createSecureServer({
    ...bounds,
    ...serverOptions(tls, material),
    handshakeTimeout: options.handshakeTimeoutMs,
    allowHTTP1: false,
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

function ignore(): void {
  // The stream's own close says all there is to know.
}
