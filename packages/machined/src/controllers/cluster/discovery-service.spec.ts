import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest, type ControllerTest, type LogLine } from "@talos-ts/cosi/conformance";
import { createAuthority } from "@talos-ts/grpc/testing";
import { Affiliate, DiscoveryConfig, Identity, Member } from "@talos-ts/machinery/resources/cluster";
import { KubeSpanEndpoint } from "@talos-ts/machinery/resources/kubespan";
import { AddressStatus } from "@talos-ts/machinery/resources/network";
import { MachineResetSignal } from "@talos-ts/machinery/resources/runtime";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { affiliateMergeController } from "./affiliate-merge.ts";
import { discoveryServiceController } from "./discovery-service.ts";
import { memberController } from "./member.ts";

const name = "cluster.DiscoveryServiceController";
/** The program and not the package: what stands below machined is not for its sources. */
const program = join(import.meta.dirname, "../../../../discovery/src/bin/discovery-service.ts");
const raw = { namespace: "cluster-raw" };

const configOf = (serviceEndpoint: string, key = Uint8Array.from({ length: 32 }, () => 7)) =>
  DiscoveryConfig.spec({
    discoveryEnabled: true,
    registryServiceEnabled: true,
    serviceEndpoint,
    serviceEndpointInsecure: true,
    serviceEncryptionKey: key,
    serviceClusterID: "cluster",
  });

const affiliateOf = (nodeId: string) =>
  Affiliate.spec({
    nodeId,
    addresses: ["10.5.0.2"],
    hostname: `${nodeId}.example.org`,
    nodename: nodeId,
    operatingSystem: "Talos (v1.13.9)",
    machineType: "worker",
    kubespan: { publicKey: "key", address: "fd50::1", endpoints: ["10.5.0.2:51820"] },
  });

/** A machine as far as discovery sees it. */
async function machineOf(
  nodeId: string,
  config: ReturnType<typeof configOf>,
  root = "/nonexistent",
): Promise<ControllerTest> {
  const test = controllerTest({
    register: [
      discoveryServiceController({ clock: systemClock, root }),
      affiliateMergeController(),
      memberController(),
    ],
  });
  await test.create(
    createResource(DiscoveryConfig, DiscoveryConfig.id, config),
    createResource(Identity, Identity.id, Identity.spec({ nodeId })),
    createResource(Affiliate, nodeId, affiliateOf(nodeId)),
  );
  return test;
}

/** The first line of a level, once there is one. */
async function logged({ logs }: ControllerTest, level: LogLine["level"]): Promise<LogLine> {
  for (;;) {
    const line = logs.find((candidate) => candidate.level === level);
    if (line !== undefined) return line;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** A service, as a program of its own. */
async function startService(...flags: readonly string[]): Promise<AsyncDisposable & { readonly endpoint: string }> {
  const words = ["--disable-warning=ExperimentalWarning", program, "--listen", "127.0.0.1:0", ...flags];
  const service = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(service, "exit");
  const [line] = (await once(createInterface({ input: service.stdout }), "line")) as [string];
  return {
    endpoint: /listening on (\S+)/.exec(line)?.[1] ?? "",
    async [Symbol.asyncDispose]() {
      service.kill("SIGTERM");
      await exited;
    },
  };
}

describe("discoveryServiceController() with a service", () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let endpoint = "";
  before(async () => {
    service = await startService();
    ({ endpoint } = service);
  });
  after(() => service[Symbol.asyncDispose]());

  it("T-25, T-26, T-29: machines find each other, follow changes, and forget one that resets", async () => {
    await using a = await machineOf("a", configOf(endpoint));
    await using b = await machineOf("b", configOf(endpoint));
    await a.assertSpec(Affiliate, "service/b", affiliateOf("b"), raw);
    await b.assertSpec(Affiliate, "service/a", affiliateOf("a"), raw);
    await a.assertResource(Member, "b", ({ spec }) => assert.equal(spec.hostname, "b.example.org"));
    await b.assertResource(Member, "a");
    const address = AddressStatus.spec({ address: "127.0.0.1/32" });
    await a.assertSpec(AddressStatus, "service", address, { namespace: "cluster" });
    await a.assertNoResource(Affiliate, "service/a", raw);

    const seen = { affiliateID: "a", endpoint: "203.0.113.1:51820" };
    await b.create(createResource(KubeSpanEndpoint, "peer", KubeSpanEndpoint.spec(seen)));
    await using c = await machineOf("c", configOf(endpoint));
    await c.assertResource(
      Affiliate,
      "service/a",
      ({ spec }) => assert.deepEqual(spec.kubespan.endpoints.toSorted(), ["10.5.0.2:51820", "203.0.113.1:51820"]),
      raw,
    );
    await a.update(Affiliate, "a", (spec) => ({ ...spec, nodename: "renamed" }));
    await b.assertResource(Member, "renamed");
    await b.assertNoResource(Member, "a");

    await a.create(createResource(MachineResetSignal, MachineResetSignal.id, MachineResetSignal.spec({})));
    await b.assertNoResource(Affiliate, "service/a", raw);
    await b.assertNoResource(Member, "renamed");

    await b.update(DiscoveryConfig, DiscoveryConfig.id, () => DiscoveryConfig.spec({}));
    await b.assertNoResource(Affiliate, "service/c", raw);
    await b.assertNoResource(AddressStatus, "service", { namespace: "cluster" });
    assert.deepEqual(
      b.logs.filter(({ level }) => level === "warn" || level === "error"),
      [],
    );
  });

  it("T-28: another secret finds nobody and says why", async () => {
    await using a = await machineOf("d", configOf(endpoint));
    const other = configOf(endpoint, new Uint8Array(32));
    await using b = await machineOf("e", other);
    await b.assertResource(AddressStatus, "service", undefined, { namespace: "cluster" });
    await a.assertResource(AddressStatus, "service", undefined, { namespace: "cluster" });
    const note = await logged(b, "warn");
    assert.equal(note.message, "affiliate is ignored");
    assert.match(String(note.fields["next"]), /compare "cluster\.secret"/);
    assert.equal((await b.state.list({ ...raw, type: Affiliate.type })).length, 0);
  });
});

describe("discoveryServiceController() over TLS", () => {
  it("T-26: believes the authorities that the machine trusts, as they are at the moment", async () => {
    await using directory = await temporaryDirectory();
    const file = (name: string): string => join(directory.path, name);
    const authority = createAuthority();
    const { cert, key } = authority.issue({ names: ["127.0.0.1"] });
    await writeFile(file("crt"), cert);
    await writeFile(file("key"), key);
    await mkdir(file("etc/ssl/certs"), { recursive: true });
    await writeFile(file("etc/ssl/certs/ca-certificates.crt"), createAuthority("another").ca);
    await using service = await startService("--certificate", file("crt"), "--key", file("key"));
    const config = { ...configOf(service.endpoint), serviceEndpointInsecure: false };
    await using test = await machineOf("a", config, directory.path);
    const { fields } = await logged(test, "warn");
    assert.match(String(fields["error"]), /Cannot connect to 127\.0\.0\.1:\d+: .*(?:certificate|issuer|signature)/);
    await writeFile(file("etc/ssl/certs/ca-certificates.crt"), authority.ca);
    await test.assertResource(AddressStatus, "service", undefined, { namespace: "cluster" });
  });
});

describe("discoveryServiceController() without a service", () => {
  it("stays well, and names once what it tried and what to do", async () => {
    await using test = await machineOf("a", configOf("127.0.0.1:1"));
    const warning = await logged(test, "warn");
    await test.assertStatus(name, ({ state, restarts }) => assert.deepEqual([state, restarts], ["waiting", 0]));
    assert.deepEqual(
      [warning.fields["endpoint"], warning.fields["next"]],
      ["127.0.0.1:1", "talosctl get discoveryconfigs -o jsonpath={.spec.serviceEndpoint}"],
    );
  });

  it("says once that a secret is no key, and waits for another configuration", async () => {
    await using test = await machineOf("a", configOf("127.0.0.1:1", new Uint8Array(5)));
    await test.settled();
    await test.update(Affiliate, "a", (spec) => ({ ...spec, hostname: "other" }));
    await test.settled();
    const errors = test.logs.filter(({ level }) => level === "error");
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.fields["error"]), /"cluster\.secret" has 5 bytes, expected 32/);
  });
});
