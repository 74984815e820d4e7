import assert from "node:assert/strict";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { tlsPrivateKey } from "@talos-ts/crypto";
import { createServer, serveHealth } from "@talos-ts/grpc";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { probeDaemon } from "./probe-daemon.ts";

describe("probeDaemon()", () => {
  it("takes a daemon that shakes hands and serves, with or without client certificates", async () => {
    await using directory = await temporaryDirectory();
    const socket = join(directory.path, "health.sock");
    await using _health = await serveHealth(socket);
    const now = new Date();
    const ca = await createRoot("os", now);
    const pair = await issueLeaf(
      "apidServer",
      ca.pem,
      { fqdn: "a", dnsNames: [], ipAddresses: ["127.0.0.1"] },
      { now },
    );
    const material = { cert: pair.crt, key: tlsPrivateKey(pair.key), ca: [ca.pem.crt] };
    for (const clientAuth of ["none", "require"] as const) {
      await using server = createServer({ graceMs: 0 });
      const { port } = await server.listen({ host: "127.0.0.1", port: 0, tls: { material, clientAuth } });
      await probeDaemon(port, socket, AbortSignal.timeout(30_000));
      await assert.rejects(probeDaemon(port, `${socket}.gone`, AbortSignal.timeout(30_000)), { kind: "unavailable" });
    }
  });

  it("does not take a port that is open and silent", async () => {
    await using directory = await temporaryDirectory();
    const silent = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const limit = new AbortController();
    silent.once("connection", () => limit.abort(new Error("no answer")));
    await assert.rejects(probeDaemon(port, join(directory.path, "x"), limit.signal), /no answer/);
    await new Promise((resolve) => silent.close(resolve));
  });
});
