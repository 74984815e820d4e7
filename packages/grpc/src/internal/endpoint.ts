import { connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect, type TLSSocket } from "node:tls";
import type { Backoff, OsError } from "@talos-ts/base";
import {
  attachSocket,
  errorCodes,
  Field,
  keepAlive,
  localPeerLimits,
  probeOnReuse,
  readBuffers,
  type Http2Connection,
  type KeepAlive,
  type ReadBuffers,
} from "@talos-ts/http2";
import { connectOptions, type ClientTls } from "../client-tls.ts";
import type { TransportLimits } from "../limits.ts";
import type { Target } from "../target.ts";
import { openTunnel } from "../tunnel.ts";
import { connectError } from "./connect-error.ts";

export interface EndpointOptions extends Required<TransportLimits> {
  readonly target: Target;
  readonly tls: ClientTls | undefined;
  readonly proxy: ((host: string, port: number) => URL | undefined) | undefined;
  readonly connectTimeoutMs: number;
  readonly keepAlive: KeepAlive;
  /** Quiet time in ms after which a connection is probed when it is used again; `Infinity` never probes. */
  readonly probeIdleMs: number;
  readonly backoff: Backoff;
  /** Called after every change of state. */
  readonly onChange: () => void;
}

/** A live connection. */
export interface Connection {
  readonly http2: Http2Connection;
  readonly target: Target;
  /** `:scheme` and `:authority` of its requests. */
  readonly scheme: Field;
  readonly authority: Field;
  lastError: Error | undefined;
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
  readonly #open = new Set<Http2Connection>();
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
    for (const http2 of this.#open) http2.close();
  }

  destroy(): void {
    this.#state = "closed";
    for (const http2 of this.#open) http2.destroy();
  }

  /** True when no connection is left. */
  get drained(): boolean {
    return this.#open.size === 0;
  }

  #dial(): void {
    const { target, tls, streamWindowBytes, sharedWindowBytes, sessionWindowBytes, connectTimeoutMs } = this.#options;
    const { socket, buffers } = openSocket(target, tls, this.#options.proxy);
    let stopKeepAlive = (): void => undefined;
    const { connection: http2 } = attachSocket(
      socket,
      {
        role: "client",
        limits: {
          ...(target.transport === "unix" && localPeerLimits),
          streamWindowBytes,
          sharedWindowBytes,
          connectionWindowBytes: sessionWindowBytes,
          handshakeTimeoutMs: connectTimeoutMs,
        },
        ...(buffers !== undefined && { buffers }),
      },
      {
        ready: () => {
          clearTimeout(connectTimer);
          if (tls !== undefined && (socket as TLSSocket).alpnProtocol !== "h2") {
            http2.destroy(errorCodes.noError, new Error("the server did not agree to speak HTTP/2"));
            return;
          }
          this.#become(connection);
          stopKeepAlive = keepAlive(http2, this.#options.keepAlive);
        },
        goaway: (code) => {
          connection.lastError ??= new Error(`the server closed the connection (GOAWAY ${String(code)})`);
          this.#leave(connection);
        },
        end: (error) => {
          clearTimeout(connectTimer);
          stopKeepAlive();
          connection.lastError ??= error;
          if (this.#state === "connecting") this.#fail(connection.lastError);
          else this.#leave(connection);
        },
        close: () => {
          this.#open.delete(http2);
          this.#options.onChange();
        },
      },
    );
    const connection: Connection = {
      http2,
      target,
      scheme: schemes[tls === undefined ? "http" : "https"],
      authority: new Field(":authority", authorityOf(target)),
      lastError: undefined,
      use: () => undefined,
    };
    this.#open.add(http2);
    const connectTimer = setTimeout(() => {
      const error = new Error(`no HTTP/2 settings within ${String(connectTimeoutMs)} ms`);
      http2.destroy(errorCodes.settingsTimeout, error);
    }, connectTimeoutMs);
  }

  #become(connection: Connection): void {
    if (this.#state !== "connecting") return;
    const { keepAlive: alive, probeIdleMs } = this.#options;
    connection.use = probeOnReuse(connection.http2, { idleMs: probeIdleMs, timeoutMs: alive.timeoutMs });
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

const schemes = { http: new Field(":scheme", "http"), https: new Field(":scheme", "https") } as const;

interface Dialled {
  readonly socket: Socket;
  readonly buffers: ReadBuffers | undefined;
}

function openSocket(target: Target, tls: ClientTls | undefined, proxy: EndpointOptions["proxy"]): Dialled {
  const address = {
    ...(target.transport === "unix" ? { path: target.path } : { host: target.host, port: target.port }),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  };
  if (tls === undefined || target.transport === "unix") {
    const buffers = readBuffers();
    return { socket: netConnect({ ...address, onread: buffers.onread }), buffers };
  }
  const through = proxy?.(target.host, target.port);
  // A socket that exists already reads as it was made to.
  const buffers = through === undefined ? readBuffers() : undefined;
  const way =
    through === undefined
      ? { ...address, onread: buffers?.onread }
      : { socket: openTunnel(through, target.host, target.port) };
  const socket = tlsConnect({ ...connectOptions(tls, target.host), ...way });
  const { checkCertificate } = tls;
  if (checkCertificate !== undefined) {
    socket.once("secureConnect", () => {
      try {
        checkCertificate(socket.getPeerCertificate().raw);
      } catch (err) {
        socket.destroy(err as Error);
      }
    });
  }
  return { socket, buffers };
}
