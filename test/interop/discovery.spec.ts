import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { runDiscoveryService, type DiscoveryServiceOptions } from "@talos-ts/discovery";
import { createAuthority } from "@talos-ts/grpc/testing";
import { createDiscoveryClient, type DiscoveryClient } from "@talos-ts/machinery/discovery";
import { Affiliate, type AffiliateSpec } from "@talos-ts/machinery/resources/cluster";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

const clusterId = "interop";
const key = Uint8Array.from({ length: 32 }, (_, index) => index);

const own = Affiliate.spec({
  nodeId: "ts",
  addresses: ["10.5.0.2", "fd00::2"],
  hostname: "ts.example.org",
  nodename: "ts",
  operatingSystem: "Talos (v1.13.9)",
  machineType: "controlplane",
  controlPlane: { port: 6443 },
  kubespan: {
    publicKey: "ts-key",
    address: "fd50::2",
    additionalAddresses: ["10.244.2.0/24"],
    excludeAdvertisedNetworks: ["172.16.0.0/12"],
    endpoints: ["10.5.0.2:51820", "[fd00::2]:51820"],
  },
});

const ofGo = Affiliate.spec({
  nodeId: "go",
  addresses: ["10.5.0.9"],
  hostname: "go.example.org",
  nodename: "go",
  operatingSystem: "Talos (v1.13.9)",
  machineType: "worker",
  controlPlane: { port: 6443 },
  kubespan: {
    publicKey: "go-key",
    address: "fd50::9",
    additionalAddresses: ["10.244.9.0/24"],
    excludeAdvertisedNetworks: ["192.168.0.0/16"],
    endpoints: ["10.5.0.9:51820", "[fd00::9]:51820"],
  },
});

/** Form in which the Go client tells what we said. */
const asGoSees = {
  Hostname: "ts.example.org",
  Nodename: "ts",
  MachineType: "controlplane",
  OperatingSystem: "Talos (v1.13.9)",
  Addresses: ["10.5.0.2", "fd00::2"],
  Additional: ["10.244.2.0/24"],
  Excluded: ["172.16.0.0/12"],
  Endpoints: ["10.5.0.2:51820", "203.0.113.1:1234", "[fd00::2]:51820"],
  PublicKey: "ts-key",
  Address: "fd50::2",
  Port: 6443,
};

interface Seen {
  readonly PublicIP: string;
  readonly Affiliates: Readonly<Record<string, typeof asGoSees>>;
}

interface GoProgram extends AsyncDisposable {
  /** Reads lines until one is as wished. */
  line(wished: (text: string) => boolean): Promise<string>;
  say(text: string): void;
}

async function startGo(...args: readonly string[]): Promise<GoProgram> {
  const program = await buildGoModule(join(import.meta.dirname, "go-discovery"));
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line(wished) {
      for (;;) {
        const { value, done } = await lines.next();
        assert.notEqual(done, true, "the program ended");
        if (wished(String(value))) return String(value);
      }
    },
    say: (text) => void child.stdin.write(`${text}\n`),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}

async function startService(
  options: Partial<DiscoveryServiceOptions> = {},
): Promise<AsyncDisposable & { readonly address: string }> {
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const running = runDiscoveryService({
    listen: { host: "127.0.0.1", port: 0 },
    log: () => {},
    signal: stop.signal,
    onListening: listening.resolve,
    ...options,
  });
  return {
    address: await listening.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function member(endpoint: string, affiliateId = "ts"): DiscoveryClient {
  const logger = createRecordingLogger();
  return createDiscoveryClient({ endpoint, clusterId, affiliateId, key, logger, onChange: () => {} });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

const sorted = (spec: AffiliateSpec | undefined): AffiliateSpec | undefined =>
  spec && { ...spec, kubespan: { ...spec.kubespan, endpoints: spec.kubespan.endpoints.toSorted() } };

/** The Go client and ours learn everything of each other, and that the Go one leaves. */
async function meet(address: string): Promise<void> {
  await using client = member(address);
  client.announce(own);
  await using go = await startGo("client", address);
  await until(() => client.affiliates[0]?.kubespan.endpoints.length === 2);
  assert.deepEqual(sorted(client.affiliates[0]), ofGo);
  const isComplete = (line: string): boolean => {
    const { Affiliates } = JSON.parse(line) as Seen;
    return Affiliates["ts"]?.Endpoints.length === 3;
  };
  const { Affiliates, PublicIP } = JSON.parse(await go.line(isComplete)) as Seen;
  assert.equal(PublicIP, "127.0.0.1");
  assert.deepEqual({ ...Affiliates["ts"], Endpoints: Affiliates["ts"]?.Endpoints.toSorted() }, asGoSees);
  go.say("delete");
  await until(() => client.affiliates.length === 0);
}

describe("discovery with Go programs", () => {
  it("our service: a Go client and ours learn everything of each other", async () => {
    await using service = await startService();
    await meet(service.address);
  });

  it("our service: speaks TLS with a Go client", async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue({ names: ["127.0.0.1"] });
    const directory = await mkdtemp(join(tmpdir(), "discovery-interop-"));
    try {
      await writeFile(join(directory, "ca"), authority.ca);
      await using service = await startService({ tls: { material: { cert, key } } });
      await using go = await startGo("client", service.address, join(directory, "ca"));
      const { PublicIP } = JSON.parse(await go.line(() => true)) as Seen;
      assert.equal(PublicIP, "127.0.0.1");
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("a Go service: a Go client and ours learn everything of each other", async () => {
    await using server = await startGo("server", "127.0.0.1:0");
    await meet(await server.line(() => true));
  });
});
