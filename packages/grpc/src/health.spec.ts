import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@talos-ts/proto/grpc/health";
import { createClient } from "./client.ts";
import { healthService } from "./health.ts";
import { createPair } from "./testing/pair.ts";

describe("healthService", () => {
  it("answers for the server as a whole and for services it was told of", async () => {
    await using pair = await createPair();
    const health = healthService();
    pair.server.addService(health.desc, health.impl);
    const client = createClient(Health, pair.channel);
    assert.equal((await client.check({})).status, ServingStatus.SERVING);
    await assert.rejects(client.check({ service: "x" }), { kind: "not-found" });
    health.set("x", false);
    assert.equal((await client.check({ service: "x" })).status, ServingStatus.NOT_SERVING);
  });

  it("tells watchers of every change, from unknown on", async () => {
    await using pair = await createPair();
    const health = healthService();
    pair.server.addService(health.desc, health.impl);
    const watch = createClient(Health, pair.channel).watch({ service: "x" });
    const next = async (): Promise<ServingStatus | undefined> => (await watch.next()).value?.status;
    assert.equal(await next(), ServingStatus.SERVICE_UNKNOWN);
    health.set("x", true);
    assert.equal(await next(), ServingStatus.SERVING);
    health.set("x", true);
    health.set("x", false);
    assert.equal(await next(), ServingStatus.NOT_SERVING);
    await watch.return?.();
  });
});
