import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { freePort, readAll, startUpstream } from "../testing/tcp-upstream.ts";
import { createTcpBalancer, type TcpBalancer } from "./tcp-balancer.ts";

function balancerOf(...ports: readonly number[]): Promise<TcpBalancer> {
  return createTcpBalancer({
    host: "127.0.0.1",
    port: 0,
    upstreams: () => ports.map((port) => ({ host: "127.0.0.1", port })),
  });
}

describe("createTcpBalancer", () => {
  it("answers after the client has finished sending (half-close)", async () => {
    await using upstream = await startUpstream((socket) => {
      void readAll(socket).then((bytes) => socket.end(`got ${String(bytes.length)}`));
    });
    await using balancer = await balancerOf(upstream.port);
    const client = connect({ port: balancer.port, host: "127.0.0.1", allowHalfOpen: true });
    client.end(Buffer.alloc(3_000_000));
    assert.equal((await readAll(client)).toString(), "got 3000000");
    client.destroy();
  });

  it("does not read more from one side than the other takes (backpressure)", async () => {
    let sent = 0;
    const stuck = Promise.withResolvers<void>();
    await using upstream = await startUpstream((socket) => {
      const chunk = Buffer.alloc(65_536);
      const fill = (): void => {
        while (socket.write(chunk)) sent += chunk.length;
        stuck.resolve();
      };
      fill();
    });
    await using balancer = await balancerOf(upstream.port);
    const client = connect({ port: balancer.port, host: "127.0.0.1" });
    client.pause();
    await stuck.promise;
    assert.ok(sent < 64 * 1024 * 1024);
    client.destroy();
  });

  it("takes the next upstream when one refuses, and resets the client when all do", async () => {
    const closed = await freePort();
    await using upstream = await startUpstream((socket) => socket.end("second"));
    await using balancer = await balancerOf(closed, upstream.port);
    const client = connect({ port: balancer.port, host: "127.0.0.1" });
    assert.equal((await readAll(client)).toString(), "second");

    await using none = await balancerOf(closed);
    const refused = connect({ port: none.port, host: "127.0.0.1" });
    await assert.rejects(once(refused, "end"), { code: "ECONNRESET" });
  });
});
