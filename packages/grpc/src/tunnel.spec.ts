import assert from "node:assert/strict";
import { createServer as createTcp, type AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { createChannel, type Channel } from "./channel.ts";
import { createClient } from "./client.ts";
import { createServer } from "./server.ts";
import { createAuthority } from "./testing/certificates.ts";
import { startConnectProxy } from "./testing/connect-proxy.ts";
import { Echo, echo } from "./testing/echo.ts";
import { failureOf } from "./testing/pair.ts";

/** An address of a documentation network: nothing but the proxy leads there. */
const host = "192.0.2.10";
const target = `${host}:50000`;

async function scene(url: (proxy: string) => string = (proxy) => proxy, credentials?: string) {
  const stack = new AsyncDisposableStack();
  const authority = createAuthority();
  const server = stack.use(createServer({ graceMs: 0 }).addService(Echo, echo));
  const { port } = await server.listen({
    host: "127.0.0.1",
    port: 0,
    tls: { material: { ...authority.issue({ names: [host] }), ca: authority.ca }, clientAuth: "none" },
  });
  const proxy = stack.use(
    await startConnectProxy({
      resolve: (wanted) => (wanted === target ? { host: "127.0.0.1", port } : undefined),
      ...(credentials !== undefined && { credentials }),
    }),
  );
  const open = (to: string): Channel =>
    stack.use(
      createChannel({
        target: to,
        tls: { material: { ca: authority.ca } },
        proxy: () => new URL(url(proxy.url)),
      }),
    );
  return { proxy, open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe("openTunnel()", () => {
  it("carries calls through an HTTP proxy, with the certificate of the far end verified", async () => {
    await using parts = await scene();
    const client = createClient(Echo, parts.open(target));
    const big = Buffer.alloc(1024 * 1024, 7);
    assert.deepEqual(Buffer.from((await client.unary({ value: big })).value), big);
    const seen = await Array.fromAsync(client.serverStream({ value: Uint8Array.of(1, 2, 3) }));
    assert.equal(seen.length, 3);
    assert.deepEqual(parts.proxy.targets, [target]);
  });

  it("shows the user and password of the proxy's URL", async () => {
    await using parts = await scene((url) => url.replace("//", "//us%20er:pass@"), "us er:pass");
    await createClient(Echo, parts.open(target)).unary({ value: Buffer.from("a") });
    await using others = await scene((url) => url.replace("//", "//us%20er:wrong@"), "us er:pass");
    const error = await failureOf(createClient(Echo, others.open(target)).unary({}));
    assert.match(error.message, /refused to connect to 192\.0\.2\.10:50000: 407 Proxy Authentication Required/);
    assert.ok(!error.message.includes("wrong"));
  });

  it("tells what the proxy answered", async () => {
    await using parts = await scene();
    const error = await failureOf(createClient(Echo, parts.open("192.0.2.11:50000")).unary({}));
    assert.equal(error.code, "grpc/connect");
    assert.match(
      error.message,
      /the proxy http:\/\/127\.0\.0\.1:\d+ refused to connect to 192\.0\.2\.11:50000: 403 Forbidden/,
    );
  });

  it("tells of a proxy that cannot be reached, and of one that is none", async () => {
    const other = createTcp((socket) =>
      socket
        .resume()
        .on("error", () => undefined)
        .end("220 mail.example ESMTP\r\n\r\n"),
    );
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const { port } = other.address() as AddressInfo;
    await using none = await scene(() => `http://127.0.0.1:${String(port)}`);
    assert.match((await failureOf(createClient(Echo, none.open(target)).unary({}))).message, /it does not speak HTTP/);
    await new Promise((closed) => other.close(closed));
    await using gone = await scene(() => `http://127.0.0.1:${String(port)}`);
    assert.match(
      (await failureOf(createClient(Echo, gone.open(target)).unary({}))).message,
      /the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/,
    );
  });
});
