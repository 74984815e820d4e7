import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubePrismConfig, KubePrismStatus } from "@talos-ts/machinery/resources/k8s";
import { kubePrismController } from "./kube-prism.ts";
import { createTcpBalancer, type TcpBalancer } from "./internal/tcp-balancer.ts";

interface Upstream extends AsyncDisposable {
  readonly port: number;
}

async function startUpstream(onConnection: (socket: Socket) => void): Promise<Upstream> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function freePort(): Promise<number> {
  await using upstream = await startUpstream(() => undefined);
  return upstream.port;
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Without the option the end of the loop destroys the socket, and nothing could be answered.
  const source = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

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

describe("k8s.KubePrismController", () => {
  it("listens before any API server is up and reports health as it changes", async () => {
    const clock = createManualClock();
    const port = await freePort();
    let healthy = false;
    await using upstream = await startUpstream((socket) => socket.end("apiserver"));
    await using test = controllerTest({
      register: [kubePrismController({ clock, probe: async () => healthy })],
    });
    const endpoints = [{ host: "127.0.0.1", port: upstream.port }];
    const config = createResource(
      KubePrismConfig,
      KubePrismConfig.id,
      KubePrismConfig.spec({ host: "127.0.0.1", port: port, endpoints }),
    );
    await test.create(config);
    const host = `127.0.0.1:${String(port)}`;
    await test.assertSpec(KubePrismStatus, KubePrismStatus.id, { host, healthy: false });
    // Not healthy by its probe, yet tried, as nothing else is there.
    const client = connect({ port, host: "127.0.0.1" });
    assert.equal((await readAll(client)).toString(), "apiserver");

    healthy = true;
    await test.settled();
    await clock.advance(1000);
    await test.assertSpec(KubePrismStatus, KubePrismStatus.id, { host, healthy: true });

    await test.remove(config);
    await test.assertNoResource(KubePrismStatus, KubePrismStatus.id);
    await assert.rejects(once(connect({ port, host: "127.0.0.1" }), "connect"), { code: "ECONNREFUSED" });
  });
});
