import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type ServiceImpl } from "@talos-ts/grpc";
import { Cluster } from "@talos-ts/proto/discovery/server";
import { Affiliate, type AffiliateSpec } from "../resources/cluster/index.ts";

/** Helpers of the specs. */

export const testKey = Uint8Array.from({ length: 32 }, (_, index) => index);

export function testAffiliate(nodeId: string, change: Parameters<typeof Affiliate.spec>[0] = {}): AffiliateSpec {
  return Affiliate.spec({
    nodeId,
    addresses: ["10.5.0.2", "fd00::1"],
    hostname: `${nodeId}.example.org`,
    nodename: nodeId,
    operatingSystem: "Talos (v1.13.9)",
    machineType: "controlplane",
    controlPlane: { port: 6443 },
    kubespan: {
      publicKey: "key",
      address: "fd50::1",
      additionalAddresses: ["10.244.1.0/24"],
      endpoints: ["10.5.0.2:51820", "[fd00::1]:51820"],
      excludeAdvertisedNetworks: ["192.168.0.0/16"],
    },
    ...change,
  });
}

/** A service that answers as the spec says, on a socket of its own. */
export async function scriptedService(
  impl: ServiceImpl<typeof Cluster>,
): Promise<AsyncDisposable & { readonly endpoint: string }> {
  const directory = await mkdtemp(join(tmpdir(), "discovery-"));
  const server = createServer({ graceMs: 0 }).addService(Cluster, impl);
  const { address } = await server.listen({ unix: join(directory, "s") });
  return {
    endpoint: address,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Lets everything else happen until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
