import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  createChannel,
  forwardCall,
  createServer,
  healthService,
  reflectionService,
  type GrpcServer,
} from "@talos-ts/grpc";
import { createAuthority, Echo, echo } from "@talos-ts/grpc/testing";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { runGoClient, startGoServer } from "./go-program.ts";
import { writeTls } from "./tls-files.ts";

function createEchoServer(): GrpcServer {
  const health = healthService();
  const reflection = reflectionService(() => server.services);
  const server = createServer({ graceMs: 0 })
    .addService(Echo, echo)
    .addService(health.desc, health.impl)
    .addService(reflection.desc, reflection.impl);
  return server;
}

/** The checks that failed, with the reason. */
function failures(results: ReadonlyMap<string, string>): string[] {
  assert.ok(results.size > 10, "the client reported its checks");
  return [...results].filter(([, result]) => result !== "ok").map((each) => each.join(": "));
}

describe("a Go client", () => {
  it("is served over a unix socket", async () => {
    await using directory = await temporaryDirectory();
    await using server = createEchoServer();
    const { address } = await server.listen({ unix: join(directory.path, "s") });
    assert.deepEqual(failures(await runGoClient(address)), []);
  });

  it("is served over mutual TLS by IP address", async () => {
    await using directory = await temporaryDirectory();
    const authority = createAuthority();
    const material = { ...authority.issue({ names: ["127.0.0.1"] }), ca: authority.ca };
    const client = authority.issue({ organizations: ["os:admin"] });
    const tls = await writeTls(directory.path, { ...client, ca: authority.ca });
    await using server = createEchoServer();
    const { address } = await server.listen({ host: "127.0.0.1", port: 0, tls: { material, clientAuth: "require" } });
    assert.deepEqual(failures(await runGoClient(address, tls)), []);
  });

  it("reaches a server through the proxy", async () => {
    await using directory = await temporaryDirectory();
    await using backend = createEchoServer();
    const { address } = await backend.listen({ unix: join(directory.path, "backend") });
    await using channel = createChannel({ target: address });
    await using proxy = createServer({ graceMs: 0 }).setFallback((call) => forwardCall(call, { channel }));
    const front = await proxy.listen({ host: "127.0.0.1", port: 0 });
    assert.deepEqual(failures(await runGoClient(front.address)), []);
  });

  it("reaches a Go server through the proxy", async () => {
    await using backend = await startGoServer("127.0.0.1:0");
    await using channel = createChannel({ target: backend.address });
    await using proxy = createServer({ graceMs: 0 }).setFallback((call) => forwardCall(call, { channel }));
    const front = await proxy.listen({ host: "127.0.0.1", port: 0 });
    // The Go server understands gzip where ours declines it; the proxy declines on its behalf.
    assert.deepEqual(failures(await runGoClient(front.address)), []);
  });
});
