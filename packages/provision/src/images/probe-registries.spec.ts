import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createProbe } from "./probe-registries.ts";

async function probed(listener: RequestListener, timeoutMs = 10_000): Promise<string | undefined> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    return await createProbe({ scheme: "http", timeoutMs })(`127.0.0.1:${String(port)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("a registry that answers, or asks for credentials, can be used", async () => {
  for (const status of [200, 307, 401]) {
    const asked: (string | undefined)[] = [];
    const found = await probed((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    assert.equal(found, undefined);
    assert.deepEqual(asked, ["/v2/"]);
  }
});

test("a registry that refuses or fails cannot be used, and the reason is told", async () => {
  for (const status of [403, 502]) {
    assert.equal(
      await probed((_request, response) => void response.writeHead(status).end()),
      `answers with status ${String(status)}`,
    );
  }
});

test("a registry that stays silent is given up", async () => {
  assert.equal(await probed(() => {}, 20), "does not answer in 0.02 s");
});

test("a registry that does not exist is told by the reason of the connection", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  assert.match((await createProbe({ scheme: "http" })(`127.0.0.1:${String(port)}`)) ?? "", /^fails: .*ECONNREFUSED/);
});
