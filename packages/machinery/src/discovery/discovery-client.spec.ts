import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, OsError } from "@talos-ts/base";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { AffiliateUpdateRequest, Cluster } from "@talos-ts/proto/discovery/server";
import { encodeAffiliate } from "./affiliate-message.ts";
import { createDiscoveryClient, type DiscoveryClient, type DiscoveryClientOptions } from "./discovery-client.ts";
import { createSeal } from "./seal.ts";
import { scriptedService, testAffiliate, testKey, until } from "./testing.ts";

const clusterId = "cluster";
const seal = createSeal(testKey);
const sealed = (id: string) => ({ id, data: seal.seal(encodeAffiliate(testAffiliate(id))), endpoints: [] });

interface Heard {
  readonly updates: AffiliateUpdateRequest[];
  readonly deletes: string[];
  watches: number;
}

/** Takes everything, tells of one other affiliate, and keeps the watch open. */
function obliging(heard: Heard): ServiceImpl<typeof Cluster> {
  return {
    hello: () => ({ clientIp: Uint8Array.of(192, 0, 2, 7) }),
    affiliateUpdate(request) {
      heard.updates.push(request);
      return {};
    },
    affiliateDelete({ affiliateId }) {
      heard.deletes.push(affiliateId);
      return {};
    },
    async *watch(_request, { signal }) {
      heard.watches += 1;
      yield { affiliates: [sealed("other")] };
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve, { once: true });
      });
    },
  };
}

const nothingHeard = (): Heard => ({ updates: [], deletes: [], watches: 0 });

function clientOf(endpoint: string, options: Partial<DiscoveryClientOptions> = {}) {
  const logger = createRecordingLogger();
  let changes = 0;
  const client: DiscoveryClient = createDiscoveryClient({
    endpoint,
    clusterId,
    affiliateId: "me",
    key: testKey,
    logger,
    onChange: () => (changes += 1),
    backoff: { initialMs: 1, maxMs: 1 },
    ...options,
  });
  const lines = (level: string): readonly string[] =>
    logger.lines.filter((line) => line.level === level).map(({ message }) => message);
  return { client, logger, lines, changes: () => changes };
}

describe("createDiscoveryClient()", () => {
  it("T-30: tells of itself and where it saw others, hears of others, and refreshes at half the TTL", async () => {
    const heard = nothingHeard();
    await using service = await scriptedService(obliging(heard));
    const clock = createManualClock();
    const { client, lines, changes } = clientOf(service.endpoint, { clock });
    await using _client = client;
    client.announce(testAffiliate("me"), [{ affiliateId: "other", endpoint: "203.0.113.9:51820" }]);
    await until(() => heard.updates.length === 2 && client.affiliates.length === 1);
    assert.deepEqual(client.affiliates[0]?.hostname, "other.example.org");
    assert.equal(client.publicAddress, "192.0.2.7");
    assert.ok(changes() >= 2);
    const [own, other] = heard.updates;
    assert.deepEqual([own?.affiliateId, own?.affiliateEndpoints.length, own?.ttl?.seconds], ["me", 2, 1800n]);
    assert.deepEqual([other?.affiliateId, other?.affiliateData], ["other", undefined]);
    assert.deepEqual(seal.open(own?.affiliateData ?? new Uint8Array()), encodeAffiliate(testAffiliate("me")));

    client.announce(testAffiliate("me"), [{ affiliateId: "other", endpoint: "203.0.113.9:51820" }]);
    await until(() => clock.sleeping >= 2);
    await clock.advance(15 * 60_000 - 1);
    assert.equal(heard.updates.length, 2, "not before its time, nor for the same data");
    await clock.advance(1);
    await until(() => heard.updates.length === 4);
    assert.deepEqual(heard.updates[2]?.affiliateData, own?.affiliateData);
    client.announce(testAffiliate("me", { nodename: "renamed" }));
    await until(() => heard.updates.length === 5);
    assert.deepEqual(lines("warn"), []);
    assert.deepEqual(lines("info"), ["discovery service is in use"]);
  });

  it("T-29: has the service forget it", async () => {
    const heard = nothingHeard();
    await using service = await scriptedService(obliging(heard));
    const { client } = clientOf(service.endpoint);
    await using _client = client;
    client.announce(testAffiliate("me"));
    await until(() => heard.updates.length === 1);
    client.withdraw();
    await until(() => heard.deletes.length === 1);
    assert.deepEqual(heard.deletes, ["me"]);
  });

  it("keeps what it knows while the service is away, and says so once", async () => {
    const heard = nothingHeard();
    let broken = false;
    let refused = 0;
    const service = obliging(heard);
    const failure = (): never => {
      refused += 1;
      throw new OsError({ kind: "unavailable", message: "going away" });
    };
    await using flaky = await scriptedService({
      ...service,
      hello: (request, context) => (broken ? failure() : service.hello?.(request, context)) ?? {},
      async *watch(_request, { signal }) {
        heard.watches += 1;
        yield { affiliates: [sealed("other")] };
        await until(() => broken || signal.aborted);
        failure();
      },
    });
    const { client, lines, logger } = clientOf(flaky.endpoint);
    await using _client = client;
    client.announce(testAffiliate("me"));
    await until(() => client.affiliates.length === 1 && heard.updates.length === 1);
    broken = true;
    await until(() => refused > 10);
    assert.equal(client.affiliates.length, 1);
    assert.equal(lines("warn").length, 1);
    const warning = logger.lines.find(({ level }) => level === "warn");
    assert.equal(warning?.message, "discovery service cannot be used; the members known so far are kept");
    assert.equal(warning.fields?.["endpoint"], flaky.endpoint);
    assert.match(String(warning.fields["error"]), /going away/);
    assert.equal(warning.fields["next"], "talosctl get discoveryconfigs -o jsonpath={.spec.serviceEndpoint}");
    broken = false;
    await until(() => heard.watches >= 2);
  });

  it("names an unreachable endpoint once and ends at once when told", async () => {
    const { client, lines } = clientOf("unix:///nonexistent/discovery.sock");
    client.announce(testAffiliate("me"));
    await until(() => lines("debug").length > 3);
    assert.equal(lines("warn").length, 1);
    await client[Symbol.asyncDispose]();
  });

  it("follows redirects to hosts only", async () => {
    await using away = await scriptedService({ hello: () => ({ redirect: { endpoint: "unix:///run/x.sock" } }) });
    const { client, logger } = clientOf(away.endpoint);
    await using _client = client;
    await until(() => logger.lines.some(({ level }) => level === "warn"));
    const warning = logger.lines.find(({ level }) => level === "warn");
    assert.match(String(warning?.fields?.["error"]), /to "unix:\/\/\/run\/x\.sock": expected "host:port"/);
  });

  it("notes affiliates of another key, and what to compare", async () => {
    const heard = nothingHeard();
    await using service = await scriptedService(obliging(heard));
    const { client, logger } = clientOf(service.endpoint, { key: testKey.map((byte) => byte ^ 1) });
    await using _client = client;
    await until(() => logger.lines.some(({ message }) => message === "affiliate is ignored"));
    const note = logger.lines.find(({ message }) => message === "affiliate is ignored");
    assert.deepEqual([note?.fields?.["affiliate"], note?.level], ["other", "warn"]);
    assert.match(String(note?.fields?.["next"]), /compare "cluster\.secret" of the nodes/);
    assert.deepEqual(client.affiliates, []);
  });
});
