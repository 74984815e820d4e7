import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { createChannel, createServer, methodInfo, openRawCall } from "@talos-ts/grpc";
import { AffiliateUpdateRequestSchema, Cluster } from "@talos-ts/proto/discovery/server";
import { connectedAddress } from "./client-address.ts";
import { clusterService } from "./cluster-service.ts";
import { limits } from "./limits.ts";
import { createRegistry } from "./registry.ts";

describe("clusterService()", () => {
  it("answers any bytes on any method, and keeps to its limits", async () => {
    const directory = await mkdtemp(join(tmpdir(), "discovery-"));
    const registry = createRegistry();
    const stop = new AbortController();
    const service = clusterService({ registry, addressOf: connectedAddress, signal: stop.signal });
    await using server = createServer({ graceMs: 0 }).addService(Cluster, service);
    await using channel = createChannel({ target: (await server.listen({ unix: join(directory, "s") })).address });
    const random = seededBytes("cluster-service");
    const below = (limit: number): number => random(4).readUInt32BE() % limit;
    const good = toBinary(
      AffiliateUpdateRequestSchema,
      create(AffiliateUpdateRequestSchema, {
        clusterId: "c",
        affiliateId: "a",
        affiliateData: random(40),
        affiliateEndpoints: [random(16), random(32)],
        ttl: { seconds: 60n },
      }),
    );
    const kinds = new Set<string>();
    for (let round = 0; round < 1500; round += 1) {
      const method = Cluster.methods[below(Cluster.methods.length)];
      assert.ok(method !== undefined);
      const bytes = round % 3 === 0 ? random(below(300)) : Buffer.from(good);
      if (bytes.length > 0) for (let count = below(4); count > 0; count -= 1) bytes[below(bytes.length)] = below(256);
      const call = openRawCall(channel, methodInfo(method).path, { timeoutMs: 120_000 });
      call.closeSend(bytes);
      // A watch has no end: its first message is the answer.
      const failure = await call.responses.next().then(
        () => undefined,
        (err: unknown) => OsError.from(err),
      );
      call.cancel();
      kinds.add(failure?.kind ?? "ok");
    }
    assert.ok(
      [...kinds].every((kind) => ["ok", "invalid-argument", "internal"].includes(kind)),
      [...kinds].join(),
    );
    assert.ok(registry.list("c").every(({ data }) => data.length <= limits.affiliateDataBytes));
    stop.abort();
    await rm(directory, { recursive: true, force: true });
  });
});

/** The same bytes in every run. */
function seededBytes(seed: string): (size: number) => Buffer {
  let state = createHash("sha512").update(seed).digest();
  return (size) => {
    const parts: Buffer[] = [];
    for (let have = 0; have < size; have += state.length) {
      state = createHash("sha512").update(state).digest();
      parts.push(state);
    }
    return Buffer.concat(parts).subarray(0, size);
  };
}
