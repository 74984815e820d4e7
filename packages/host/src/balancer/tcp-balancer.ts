import { connect, createServer, type Socket } from "node:net";
import { describeError, hostPort, OsError } from "@talos-ts/base";

/** A server that connections are forwarded to. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
}

/** Describes where a TCP balancer listens and what it forwards to. */
export interface TcpBalancerOptions {
  readonly host: string;
  readonly port: number;
  /** Upstreams in the order in which to try them for a new connection. */
  readonly upstreams: () => readonly Upstream[];
  /** Called when an upstream did not accept a connection. */
  readonly onDialError?: (upstream: Upstream, error: unknown) => void;
  /** Time to wait for an upstream to accept a connection, in ms. Default 5000. */
  readonly dialTimeoutMs?: number;
}

/** A listening TCP proxy. */
export interface TcpBalancer extends AsyncDisposable {
  readonly port: number;
  /** Ends connections to upstreams that `keep` refuses. */
  drop(keep: (upstream: Upstream) => boolean): void;
}

/**
 * Forwards each connection to the first upstream that accepts one. Bytes flow with backpressure in both directions, and one
 * side can finish sending while the other still does (half-close).
 */
export async function createTcpBalancer(options: TcpBalancerOptions): Promise<TcpBalancer> {
  const { host, port, upstreams, onDialError, dialTimeoutMs = 5000 } = options;
  const connections = new Map<Socket, Upstream | undefined>();

  async function forward(client: Socket): Promise<void> {
    for (const upstream of upstreams()) {
      if (client.destroyed) return;
      try {
        const server = await dial(upstream, dialTimeoutMs);
        connections.set(client, upstream);
        join(client, server);
        return;
      } catch (err) {
        onDialError?.(upstream, err);
      }
    }
    client.resetAndDestroy();
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    connections.set(client, undefined);
    client.on("error", () => client.destroy());
    client.once("close", () => connections.delete(client));
    void forward(client);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
  const address = listener.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    drop(keep) {
      for (const [client, upstream] of connections) {
        if (upstream !== undefined && !keep(upstream)) client.resetAndDestroy();
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => {
        listener.close(resolve);
      });
      for (const client of connections.keys()) client.destroy();
      await closed;
    },
  };
}

async function dial({ host, port }: Upstream, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
  socket.setTimeout(timeoutMs);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
      socket.once("timeout", () => reject(new Error(`no connection within ${String(timeoutMs)} ms`)));
    });
  } catch (err) {
    socket.destroy();
    const message = `dial ${hostPort(host, port)}: ${describeError(err)}`;
    throw new OsError({ kind: "unavailable", code: "balancer/dial", message, cause: err });
  }
  socket.setTimeout(0);
  return socket;
}

function join(client: Socket, server: Socket): void {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to);
    from.once("error", () => to.destroy());
    // Everything read from `from` is in the buffer of `to`: it is written out before the socket goes.
    from.once("close", (hadError) => (hadError ? to.destroy() : to.destroySoon()));
  }
}
