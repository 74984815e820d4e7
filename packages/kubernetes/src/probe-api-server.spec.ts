import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { probeApiServer } from "./probe-api-server.ts";
import { failWith, startTestApiServer } from "./testing.ts";

const signal = new AbortController().signal;

describe("probeApiServer", () => {
  const answers = [
    [200, "ready"],
    [401, "ready"],
    [403, "ready"],
    [500, "not-ready"],
  ] as const;
  for (const [status, expected] of answers) {
    it(`takes status ${String(status)} of /readyz for ${expected}`, async () => {
      await using server = await startTestApiServer((request, response) => {
        assert.equal(request.path, "/readyz");
        return failWith(response, status, "Test");
      });
      const { hostname, port } = new URL(server.access.server);
      assert.equal(await probeApiServer({ host: hostname, port: Number(port) }, signal), expected);
    });
  }

  it("finds a server unreachable that does not answer in time, and one that is gone", async () => {
    const asked = Promise.withResolvers<void>();
    const late = new AbortController();
    const server = await startTestApiServer(() => {
      asked.resolve();
    });
    const { hostname, port } = new URL(server.access.server);
    const upstream = { host: hostname, port: Number(port) };
    const probe = probeApiServer(upstream, late.signal);
    await asked.promise;
    late.abort();
    assert.equal(await probe, "unreachable");
    await server[Symbol.asyncDispose]();
    assert.equal(await probeApiServer(upstream, signal), "unreachable");
  });
});
