import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { checkHttpHealth } from "./http-health.ts";

describe("checkHttpHealth()", () => {
  it("C-22: is content with 200, and names any other status", async () => {
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end("ok"));
    using _closing = { [Symbol.dispose]: () => server.close() };
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/healthz`;
    const { signal } = new AbortController();
    await checkHttpHealth(url, signal, "talosctl logs kubelet");
    status = 500;
    await assert.rejects(checkHttpHealth(url, signal, "talosctl logs kubelet"), {
      message: "expected HTTP status OK, got 500 Internal Server Error",
      next: "talosctl logs kubelet",
    });
  });
  it("fails where nobody listens, and when it is told to stop", async () => {
    await assert.rejects(checkHttpHealth("http://127.0.0.1:1/", new AbortController().signal, ""), /ECONNREFUSED/);
    await assert.rejects(checkHttpHealth("http://127.0.0.1:1/", AbortSignal.abort(), ""), { name: "AbortError" });
  });
});
