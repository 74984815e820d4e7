import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startConnectProxy } from "@talos-ts/grpc/testing";
import { startFakeNode } from "../testing/fake-node.ts";

/** An address of a documentation network: nothing but a proxy leads there. */
const far = "192.0.2.20";

async function scene() {
  const stack = new AsyncDisposableStack();
  const node = stack.use(
    await startFakeNode({
      addresses: [far],
      machine: { version: () => ({ messages: [{ version: { tag: "v1.13.9" } }] }) },
    }),
  );
  const [host = "", port = ""] = node.address.split(":");
  const proxy = stack.use(
    await startConnectProxy({
      resolve: (target) => (target === `${far}:50000` ? { host, port: Number(port) } : undefined),
    }),
  );
  return { node, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe("a call through HTTPS_PROXY", () => {
  it("reaches an endpoint that only the proxy can reach", async () => {
    await using parts = await scene();
    const env = { HTTPS_PROXY: parts.proxy.url };
    const { code, out, err } = await parts.node.runWith(env, "version", "-e", far, "-n", far);
    assert.equal(code, 0, err);
    assert.match(out, /v1\.13\.9/);
    assert.deepEqual(new Set(parts.proxy.targets), new Set([`${far}:50000`]));
  });

  it("is not made for what NO_PROXY names, nor for the loopback", async () => {
    await using parts = await scene();
    const env = { HTTPS_PROXY: parts.proxy.url, NO_PROXY: "192.0.2.0/24" };
    const direct = await parts.node.runWith(env, "version", "-n", "127.0.0.1");
    assert.equal(direct.code, 0, direct.err);
    assert.deepEqual(parts.proxy.targets, []);
  });

  it("tells by the doctor what the proxy refused", async () => {
    await using parts = await scene();
    const env = { HTTPS_PROXY: parts.proxy.url };
    const { code, err } = await parts.node.runWith(env, "version", "-e", "192.0.2.21", "-n", "192.0.2.21");
    assert.equal(code, 1);
    assert.match(
      err,
      /HTTPS_PROXY is set, and the proxy http:\/\/127\.0\.0\.1:\d+ refused to connect to 192\.0\.2\.21:50000: 403/,
    );
    assert.match(err, /next: NO_PROXY=192\.0\.2\.21 /);
  });
});
