import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createAuthority } from "@talos-ts/grpc/testing";
import { Affiliate, type AffiliateSpec } from "@talos-ts/machinery/resources/cluster";
import { certificateFiles } from "./certificate-files.ts";
import { rateLimit } from "./rate-limit.ts";
import { clusterId, startService, until } from "./testing.ts";

const affiliate = (nodeId: string, endpoints: readonly string[] = []): AffiliateSpec =>
  Affiliate.spec({
    nodeId,
    addresses: ["10.5.0.2"],
    hostname: nodeId,
    nodename: nodeId,
    machineType: "worker",
    operatingSystem: "Talos (v1.13.9)",
    kubespan: { publicKey: "key", address: "fd50::1", endpoints },
  });
const ttl = { seconds: 60n, nanos: 0 };

describe("runDiscoveryService()", () => {
  it("two members see each other, add to each other's endpoints, and one leaves", async () => {
    await using service = await startService();
    await using a = service.member("a");
    await using b = service.member("b");
    a.announce(affiliate("a", ["10.5.0.2:51820"]));
    b.announce(affiliate("b"), [{ affiliateId: "a", endpoint: "203.0.113.1:51820" }]);
    const endpoints = (): readonly string[] => b.affiliates[0]?.kubespan.endpoints ?? [];
    await until(() => a.affiliates.length === 1 && endpoints().length === 2);
    assert.deepEqual(a.affiliates, [affiliate("b")]);
    assert.deepEqual(endpoints().toSorted(), ["10.5.0.2:51820", "203.0.113.1:51820"]);
    assert.equal(a.publicAddress, "127.0.0.1");
    a.announce({ ...affiliate("a"), nodename: "renamed" });
    await until(() => b.affiliates[0]?.nodename === "renamed");
    a.withdraw();
    await until(() => b.affiliates.length === 0);
    const { affiliates } = await service.raw.list({ clusterId });
    assert.deepEqual(
      affiliates.map(({ id }) => id),
      ["b"],
    );
  });

  it("sees nothing of what members say", async () => {
    await using service = await startService();
    await using a = service.member("a");
    a.announce(affiliate("secret-name", ["10.5.0.2:51820"]));
    let seen: Uint8Array[] = [];
    for await (const { affiliates } of service.raw.watch({ clusterId })) {
      seen = affiliates.flatMap(({ data, endpoints }) => endpoints.concat(data));
      if (seen.length > 0) break;
    }
    assert.equal(seen.length, 2);
    for (const bytes of seen) assert.ok(!Buffer.from(bytes).includes("secret-name"));
  });

  it("members come back by themselves when the service starts over, and keep each other meanwhile", async () => {
    const first = await startService();
    const port = Number(first.address.split(":")[1]);
    await using a = first.member("a");
    await using b = first.member("b");
    a.announce(affiliate("a"));
    b.announce(affiliate("b"));
    await until(() => a.affiliates.length === 1 && b.affiliates.length === 1);
    await first[Symbol.asyncDispose]();
    assert.equal(a.affiliates.length, 1);
    await using second = await startService({ listen: { host: "127.0.0.1", port } });
    const stored = async (): Promise<number> => (await second.raw.list({ clusterId })).affiliates.length;
    for (let count = 0; count < 2;) count = await stored();
    assert.deepEqual([a.affiliates.length, b.affiliates.length], [1, 1]);
  });

  it("refuses requests that are out of bounds, with the texts clients know", async () => {
    await using service = await startService();
    const { raw } = service;
    const long = "x".repeat(257);
    const ok = { clusterId, affiliateId: "a", ttl };
    const bad: readonly (readonly [string, Promise<unknown>])[] = [
      ["cluster ID can't be empty", raw.hello({})],
      ["cluster ID is too long", raw.list({ clusterId: long })],
      ["cluster ID can't be empty", raw.watch({}).next()],
      ["affiliate ID can't be empty", raw.affiliateDelete({ clusterId })],
      ["affiliate ID is too long", raw.affiliateUpdate({ ...ok, affiliateId: long })],
      ["affiliate data is too big", raw.affiliateUpdate({ ...ok, affiliateData: new Uint8Array(2049) })],
      ["affiliate endpoint is too big", raw.affiliateUpdate({ ...ok, affiliateEndpoints: [new Uint8Array(33)] })],
      ["ttl is too large", raw.affiliateUpdate({ ...ok, ttl: { seconds: 1801n } })],
      ["ttl must be more than nothing", raw.affiliateUpdate({ clusterId, affiliateId: "a" })],
    ];
    for (const [message, call] of bad) await assert.rejects(call, { kind: "invalid-argument", message });
    assert.deepEqual((await raw.list({ clusterId })).affiliates, []);
  });

  it("T-30: forgets who was silent for longer than its TTL", async () => {
    const clock = createManualClock();
    await using service = await startService({ clock });
    await service.raw.affiliateUpdate({ clusterId, affiliateId: "a", affiliateData: Uint8Array.of(1), ttl });
    const watch = service.raw.watch({ clusterId });
    assert.deepEqual((await watch.next()).value?.affiliates.length, 1);
    await clock.advance(60_000);
    const { value } = await watch.next();
    assert.deepEqual([value?.deleted, value?.affiliates[0]?.id], [true, "a"]);
    assert.ok(service.lines.includes("forgot 1 affiliates; 0 left in 1 clusters"));
    await watch.return?.();
  });

  it("sends everybody to another service when told, and they follow", async () => {
    await using target = await startService();
    await using old = await startService({ redirect: target.address });
    await using a = old.member("a");
    await using b = target.member("b");
    a.announce(affiliate("a"));
    b.announce(affiliate("b"));
    await until(() => a.affiliates.length === 1 && b.affiliates.length === 1);
  });

  it("speaks TLS, and tells a proxied client its own address", async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue({ names: ["127.0.0.1"] });
    await using service = await startService({ tls: { material: { cert, key } }, behindProxy: true });
    await using a = service.member("a", { tls: { material: { ca: authority.ca } } });
    await using _stranger = service.member("b", { tls: { material: { ca: createAuthority().ca } } });
    await until(() => a.publicAddress !== undefined);
    assert.equal(a.publicAddress, "127.0.0.1");
    await using plain = await startService({ behindProxy: true });
    const { clientIp } = await plain.raw.hello(
      { clusterId },
      { metadata: { "x-forwarded-for": "2001:db8::1, 10.0.0.1" } },
    );
    assert.deepEqual([clientIp.length, clientIp[0], clientIp[15]], [16, 0x20, 1]);
  });
});

describe("rateLimit()", () => {
  it("lets a burst through, then makes an address wait, and sends away who has no time", async () => {
    const clock = createManualClock();
    const limit = rateLimit({ addressOf: () => "10.0.0.1", perSecond: 10, burst: 3, clock });
    let served = 0;
    const signal = new AbortController().signal;
    const call = (deadlineMs?: number): Promise<void> =>
      limit({ signal, deadlineMs } as Parameters<typeof limit>[0], async () => void (served += 1));
    for (let index = 0; index < 3; index += 1) await call();
    assert.equal(served, 3);
    await assert.rejects(call(clock.now() + 50), { message: "rate limit exceeds request timeout" });
    const waiting = call();
    await clock.advance(99);
    assert.equal(served, 3);
    await clock.advance(1);
    await waiting;
    await clock.advance(1000);
    for (let index = 0; index < 3; index += 1) await call();
    assert.equal(served, 7);
  });
});

describe("certificateFiles()", () => {
  it("reads again what was replaced, and only then", async () => {
    const directory = await mkdtemp(join(tmpdir(), "discovery-"));
    try {
      const [cert, key] = [join(directory, "crt"), join(directory, "key")];
      await writeFile(cert, "one");
      await writeFile(key, "key");
      const material = certificateFiles(cert, key);
      assert.equal(material(), material());
      await writeFile(`${cert}.new`, "two");
      await rename(`${cert}.new`, cert);
      assert.equal(String(material().cert), "two");
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe("discovery-service", () => {
  const node = [join(import.meta.dirname, "../bin/discovery-service.mjs")];

  it("explains itself, and what is wrong with an address or half a certificate", () => {
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [...node, ...args], { encoding: "utf8", timeout: 120_000 });
    const help = run("--help");
    assert.equal(help.status, 0);
    assert.match(help.stdout, /^Usage: discovery-service --listen <host:port>/);
    assert.equal(run().status, 2);
    const address = run("--listen", "nowhere");
    assert.equal(address.status, 1);
    assert.match(address.stderr, /Cannot listen on "nowhere": expected .*\nTry: discovery-service --help/);
    assert.match(run("--listen", ":0", "--key", "x").stderr, /--certificate and --key go together/);
  });

  it("listens where told and stops when told", async () => {
    const child = spawn(process.execPath, [...node, "--listen", "127.0.0.1:0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    assert.match(line, /listening on 127\.0\.0\.1:\d+ without TLS$/);
    child.kill("SIGTERM");
    await exited;
    assert.equal(child.exitCode, 0);
  });
});
