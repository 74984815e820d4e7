import type { DescService } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { Field, type Http2Stream } from "@talos-ts/http2";
import type { RawHandler, ServerInterceptor } from "./context.ts";
import { contentType } from "./internal/headers.ts";
import { listenTcp, listenUnix, type TcpAddress, type UnixAddress } from "./internal/listen-socket.ts";
import { createListener } from "./internal/listener.ts";
import { readRequestHead, type RequestHead } from "./internal/request-head.ts";
import { rawRoute, routeOf, type Route } from "./internal/routes.ts";
import { ServerCall } from "./internal/server-call.ts";
import { decodeTimeout } from "./internal/timeout.ts";
import { defaultLimits, type TransportLimits } from "./limits.ts";
import type { MethodBounds } from "./method-bounds.ts";
import { methodInfo, methodOfPath } from "./method.ts";
import type { Peer } from "./peer.ts";
import type { ServerTls } from "./server-tls.ts";
import type { ServiceImpl } from "./service-impl.ts";

/** Settings of a server. */
export interface ServerOptions extends TransportLimits {
  /** Outermost first; they run for the fallback too. */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Open calls per connection. @default {1024} */
  readonly maxConcurrentStreams?: number;
  /** Connections past their handshake. @default {4096} */
  readonly maxConnections?: number;
  /** Connections of one certificate, or of one address without; a unix socket has no such bound. @default {256} */
  readonly maxConnectionsPerCaller?: number;
  /** TLS handshakes under way at once; a further one ends the oldest. @default {512} */
  readonly maxHandshakes?: number;
  /** The same for one address. @default {128} */
  readonly maxHandshakesPerAddress?: number;
  /** Connections that have sent nothing; a further one ends the oldest. @default {2048} */
  readonly maxSilent?: number;
  /** The same for one address. @default {1024} */
  readonly maxSilentPerAddress?: number;
  /** Time for the first byte, for TLS, and for the HTTP/2 preface, each. @default {3_000} */
  readonly handshakeTimeoutMs?: number;
  /** Bounds of the calls of a method (`/service/name`). @default those of the server */
  readonly methodBounds?: (path: string) => MethodBounds;
  /** `Infinity` turns pings off. @default {60_000} */
  readonly keepAliveIntervalMs?: number;
  /** @default {20_000} */
  readonly keepAliveTimeoutMs?: number;
  /** Grace period for open calls when closing, in ms. @default {5_000} */
  readonly graceMs?: number;
}

/** A unix socket, or a TCP address with or without TLS. */
export type ListenAddress = UnixAddress | (TcpAddress & { readonly tls?: ServerTls });

/** A listener of a server. Disposing closes it as `close` does with the grace period of the server. */
export interface Listening extends AsyncDisposable {
  /** The form a channel takes as target: `unix:///path` or `host:port`. */
  readonly address: string;
  /** `0` for a unix socket. */
  readonly port: number;
  /** Lets open calls finish for `graceMs`, then ends the connections. */
  close(graceMs?: number): Promise<void>;
}

/** A gRPC server. Services are added before it listens. */
export interface GrpcServer extends AsyncDisposable {
  addService<S extends DescService>(service: S, impl: ServiceImpl<S>): GrpcServer;
  /** Serves every method that no service has. */
  setFallback(handler: RawHandler): GrpcServer;
  /** May be called for several addresses. */
  listen(address: ListenAddress): Promise<Listening>;
  /** The services added so far. */
  readonly services: readonly DescService[];
  close(graceMs?: number): Promise<void>;
}

/** Route of a path and the bounds of its calls. */
interface RouteEntry {
  readonly route: Route;
  readonly bounds: MethodBounds;
}

/** Bounds of what is kept about paths that no service has. */
const maxKeptPaths = 1024;
const maxKeptPathLength = 256;

/** Creates a server; nothing is listened on until `listen`. */
export function createServer(options: ServerOptions = {}): GrpcServer {
  const limits = { ...defaultLimits, ...options };
  const interceptors = options.interceptors ?? [];
  const graceMs = options.graceMs ?? 5000;
  const routes = new Map<string, Route>();
  const entries = new Map<string, RouteEntry>();
  const services: DescService[] = [];
  const open = new Set<Listening>();
  let fallback: RawHandler = (call) => {
    throw unimplemented(call.method.path);
  };

  function onStream(stream: Http2Stream, fields: readonly Field[], peer: Peer): void {
    const head = readRequestHead(fields);
    const refusal = refuse(head);
    if (refusal !== undefined) {
      stream.sendHeaders([refusal], true);
      stream.discardRest();
      return;
    }
    const { path, authority, timeout } = head;
    const { route, bounds } = entries.get(path) ?? entryOf(path);
    const timeoutMs = timeout === undefined ? undefined : decodeTimeout(timeout);
    const call = new ServerCall({
      stream,
      method: route.method,
      peer,
      authority,
      fields,
      timeoutMs,
      maxReceiveBytes: bounds.maxReceiveBytes ?? limits.maxReceiveBytes,
      maxSendBytes: limits.maxSendBytes,
      maxFields: bounds.maxFields ?? Number.POSITIVE_INFINITY,
    });
    const problem = protocolProblem(head, timeoutMs);
    if (problem === undefined) serve(route, call);
    else {
      call.responseHeader.set("grpc-accept-encoding", "identity");
      call.finish(problem);
    }
  }

  /** Returns what is known of a path. Those that callers invent are not kept. */
  function entryOf(path: string): RouteEntry {
    const known = routes.get(path);
    const route = known ?? rawRoute(methodOfPath(path), (call) => fallback(call));
    const entry = { route, bounds: options.methodBounds?.(path) ?? {} };
    if (known !== undefined || (entries.size < maxKeptPaths && path.length <= maxKeptPathLength)) {
      entries.set(path, entry);
    }
    return entry;
  }

  function serve(route: Route, call: ServerCall): void {
    try {
      const running = interceptors.length === 0 ? route.run(call) : intercept(route, call, 0);
      if (running === undefined) call.finish();
      else
        running.then(
          () => call.finish(),
          (err: unknown) => call.finish(err),
        );
    } catch (err) {
      call.finish(err);
    }
  }

  async function intercept(route: Route, call: ServerCall, index: number): Promise<void> {
    const interceptor = interceptors[index];
    if (interceptor === undefined) await route.run(call);
    else await interceptor(call, () => intercept(route, call, index + 1));
  }

  const server: GrpcServer = {
    services,
    addService(service, impl) {
      services.push(service);
      const handlers = impl as Readonly<Record<string, ((request: unknown, context: unknown) => unknown) | undefined>>;
      for (const method of service.methods) {
        const handler = handlers[method.localName];
        const info = methodInfo(method);
        const route =
          handler === undefined
            ? rawRoute(info, () => {
                throw unimplemented(info.path);
              })
            : routeOf(method, handler.bind(impl));
        routes.set(info.path, route);
        entries.delete(info.path);
      }
      return server;
    },
    setFallback(handler) {
      fallback = handler;
      return server;
    },
    async listen(address) {
      const listener = createListener({
        ...limits,
        ...("unix" in address ? { tls: undefined, peers: "local" } : { tls: address.tls, peers: "remote" }),
        maxConcurrentStreams: options.maxConcurrentStreams ?? 1024,
        maxConnections: options.maxConnections ?? 4096,
        maxConnectionsPerCaller:
          "unix" in address ? Number.POSITIVE_INFINITY : (options.maxConnectionsPerCaller ?? 256),
        maxHandshakes: options.maxHandshakes ?? 512,
        maxHandshakesPerAddress: options.maxHandshakesPerAddress ?? 128,
        maxSilent: options.maxSilent ?? 2048,
        maxSilentPerAddress: options.maxSilentPerAddress ?? 1024,
        handshakeTimeoutMs: options.handshakeTimeoutMs ?? 3000,
        keepAlive: {
          intervalMs: options.keepAliveIntervalMs ?? 60_000,
          timeoutMs: options.keepAliveTimeoutMs ?? 20_000,
          whenIdle: true,
        },
        onStream,
      });
      const bound =
        "unix" in address ? await listenUnix(listener.server, address) : await listenTcp(listener.server, address);
      const close = async (grace = graceMs): Promise<void> => {
        if (!open.delete(listening)) return;
        bound.release();
        await listener.close(grace);
      };
      const listening: Listening = { address: bound.target, port: bound.port, close, [Symbol.asyncDispose]: close };
      open.add(listening);
      return listening;
    },
    async close(grace = graceMs) {
      await Promise.all([...open].map((each) => each.close(grace)));
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}

const methodNotAllowed = new Field(":status", "405");
const unsupportedMediaType = new Field(":status", "415");

/** The HTTP status for a request that is not gRPC at all. */
function refuse({ method, contentType: type }: RequestHead): Field | undefined {
  if (method !== "POST") return methodNotAllowed;
  return type === contentType || type.startsWith(`${contentType}+`) || type.startsWith(`${contentType};`)
    ? undefined
    : unsupportedMediaType;
}

function protocolProblem({ encoding, timeout }: RequestHead, timeoutMs: number | undefined): OsError | undefined {
  if (encoding !== undefined && encoding !== "identity") {
    return new OsError({
      kind: "unimplemented",
      code: "grpc/compressed",
      message: `Cannot read messages with encoding "${encoding}": this server accepts identity only`,
    });
  }
  if (timeout !== undefined && timeoutMs === undefined) {
    return new OsError({
      kind: "internal",
      code: "grpc/bad-timeout",
      message: `Cannot read the deadline "${timeout}"`,
    });
  }
  return undefined;
}

function unimplemented(path: string): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "grpc/unimplemented",
    message: `Method ${path} is not implemented`,
  });
}
