import { connect as http2Connect, constants, type ClientHttp2Session } from "node:http2";
import { connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect, type TLSSocket } from "node:tls";
import type { Backoff, OsError } from "@talos-ts/base";
import { connectOptions, type ClientTls } from "../client-tls.ts";
import { sessionMemoryMegabytes, type TransportLimits } from "../limits.ts";
import type { Target } from "../target.ts";
import { connectError } from "./connect-error.ts";
import { keepAlive, probeOnReuse, type KeepAlive } from "./keep-alive.ts";

export interface EndpointOptions extends Required<TransportLimits> {
  readonly target: Target;
  readonly tls: ClientTls | undefined;
  readonly connectTimeoutMs: number;
  readonly keepAlive: KeepAlive;
  /** Quiet time in ms after which a connection is probed when it is used again; `Infinity` never probes. */
  readonly probeIdleMs: number;
  readonly backoff: Backoff;
  /** Called after every change of state. */
  readonly onChange: () => void;
}

/**
 * A live connection. `lost` tells a connection that broke from a call that was reset, which look alike on a stream.
 */
export interface Connection {
  readonly session: ClientHttp2Session;
  readonly target: Target;
  readonly secure: boolean;
  lost: boolean;
  lastError: Error | undefined;
  openCalls: number;
  /** Called before each call: probes a connection that has been quiet. */
  use: () => void;
}

/**
 * One address of a channel.
 *
 * - `idle`: not connected, nothing known against it
 * - `connecting`: until the peer's HTTP/2 settings arrive
 * - `ready`: calls can start
 * - `failed`: the last attempt failed; `retryAtMs` says when the next may start
 * - `closed`: for good
 */
export type EndpointState = "idle" | "connecting" | "ready" | "failed" | "closed";

export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #draining = new Set<ClientHttp2Session>();
  #state: EndpointState = "idle";
  #connection: Connection | undefined;
  #error: OsError | undefined;
  #retryAtMs = 0;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  get state(): EndpointState {
    return this.#state;
  }

  /** The live connection when `ready`. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Error of the last attempt to connect. */
  get error(): OsError | undefined {
    return this.#error;
  }

  /** Monotonic time of the next attempt when `failed`. */
  get retryAtMs(): number {
    return this.#retryAtMs;
  }

  /** Starts an attempt if none is under way and the last failure is long enough ago. */
  connect(): void {
    if (this.#state === "failed" && performance.now() < this.#retryAtMs) return;
    if (this.#state !== "idle" && this.#state !== "failed") return;
    this.#state = "connecting";
    try {
      this.#dial();
    } catch (err) {
      this.#fail(err);
    }
  }

  /** Ends the connection; open calls may finish until `destroy`. */
  close(): void {
    this.#state = "closed";
    this.#connection?.session.close();
    for (const session of this.#draining) session.close();
  }

  destroy(): void {
    this.#state = "closed";
    for (const session of this.#draining) session.destroy();
  }

  /** Resolves when no connection is left. */
  get drained(): boolean {
    return this.#draining.size === 0;
  }

  #dial(): void {
    const { target, tls } = this.#options;
    const socket = openSocket(target, tls);
    const connection: Connection = {
      session: http2Connect(`${tls === undefined ? "http" : "https"}://${authorityOf(target)}`, {
        createConnection: () => {
          socket.prependListener("close", () => {
            connection.lost = true;
          });
          return socket;
        },
        settings: { initialWindowSize: this.#options.streamWindowBytes, enablePush: false },
        maxSessionMemory: sessionMemoryMegabytes,
      }),
      target,
      secure: tls !== undefined,
      lost: false,
      lastError: undefined,
      openCalls: 0,
      use: () => undefined,
    };
    const { session } = connection;
    this.#draining.add(session);
    const connectTimer = setTimeout(() => {
      connection.lastError = new Error(`no HTTP/2 settings within ${String(this.#options.connectTimeoutMs)} ms`);
      session.destroy();
    }, this.#options.connectTimeoutMs);

    // A TLS alert after the handshake leaves the socket open and the session waiting for it to close.
    socket.on("error", (err: Error) => {
      connection.lastError ??= err;
      socket.destroy();
    });
    session.on("error", (err: Error) => {
      connection.lastError ??= err;
    });
    session.once("remoteSettings", () => {
      clearTimeout(connectTimer);
      if (tls !== undefined && (socket as TLSSocket).alpnProtocol !== "h2") {
        connection.lastError = new Error("the server did not agree to speak HTTP/2");
        session.destroy();
        return;
      }
      this.#become(connection);
    });
    session.once("goaway", (code: number) => {
      connection.lastError ??= new Error(`the server closed the connection (GOAWAY ${String(code)})`);
      this.#leave(connection);
    });
    session.once("close", () => {
      clearTimeout(connectTimer);
      connection.lost = true;
      this.#draining.delete(session);
      if (this.#state === "connecting") this.#fail(connection.lastError);
      else this.#leave(connection);
    });
  }

  #become(connection: Connection): void {
    if (this.#state !== "connecting") return;
    const { session } = connection;
    session.setLocalWindowSize(this.#options.sessionWindowBytes);
    const { keepAlive: alive, probeIdleMs } = this.#options;
    keepAlive(session, alive, () => connection.openCalls === 0);
    connection.use = probeOnReuse(session, { idleMs: probeIdleMs, timeoutMs: alive.timeoutMs }, () => {
      connection.lost = true;
      connection.lastError ??= new Error(`no answer to a PING within ${String(alive.timeoutMs)} ms`);
      session.destroy();
    });
    this.#connection = connection;
    this.#state = "ready";
    this.#error = undefined;
    this.#options.backoff.reset();
    this.#options.onChange();
  }

  #leave(connection: Connection): void {
    if (this.#connection === connection) {
      this.#connection = undefined;
      if (this.#state === "ready") this.#state = "idle";
    }
    this.#options.onChange();
  }

  #fail(cause: unknown): void {
    if (this.#state === "closed") return;
    this.#state = "failed";
    this.#retryAtMs = performance.now() + this.#options.backoff.next();
    this.#error = connectError(nameOf(this.#options.target), cause);
    this.#options.onChange();
  }
}

/** The way a target is written in messages. */
export function nameOf(target: Target): string {
  return target.transport === "unix" ? `unix://${target.path}` : target.authority;
}

/** A zone is no part of a URL, and the server does not know ours. */
function authorityOf(target: Target): string {
  return target.authority.replace(/%[^\]]*/, "");
}

function openSocket(target: Target, tls: ClientTls | undefined): Socket {
  if (target.transport === "unix") return netConnect({ path: target.path });
  const address = {
    host: target.host,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  };
  if (tls === undefined) return netConnect(address);
  const socket = tlsConnect({ ...connectOptions(tls, target.host), ...address });
  const { checkCertificate } = tls;
  if (checkCertificate !== undefined) {
    socket.once("secureConnect", () => {
      try {
        checkCertificate(socket.getPeerCertificate().raw);
      } catch (err) {
        // Not at once: the session is about to take the socket over, and cannot take one that is gone.
        queueMicrotask(() => socket.destroy(err as Error));
      }
    });
  }
  return socket;
}

/** Reports whether a reset (`REFUSED_STREAM`) says that the server never processed the call, so that it may be retried. */
export function isRefused(resetCode: number): boolean {
  return resetCode === constants.NGHTTP2_REFUSED_STREAM;
}
