import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

export interface ConnectProxyOptions {
  /** Returns the address of a target that somebody asks for; `undefined` refuses it with 403. */
  readonly resolve: (target: string) => { readonly host: string; readonly port: number } | undefined;
  /** `user:password` that callers must show. @default none */
  readonly credentials?: string;
}

/** An HTTP proxy on the loopback that knows CONNECT alone. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** Every target that was asked for. */
  readonly targets: readonly string[];
}

export async function startConnectProxy({ resolve, credentials }: ConnectProxyOptions): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on("connect", ({ url = "", headers }, client: Socket, head) => {
    targets.push(url);
    sockets.add(client);
    client.on("error", () => undefined);
    const shown = headers["proxy-authorization"];
    if (credentials !== undefined && shown !== `Basic ${Buffer.from(credentials).toString("base64")}`) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const found = resolve(url);
    if (found === undefined) {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const upstream = connect(found.port, found.host, () => {
      client.write("HTTP/1.1 200 Connection established\r\nX-Proxy: test\r\n\r\n");
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    upstream.on("error", () => void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
