import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { HostnameStatus, NetworkStatus, NodeAddress, RouteStatus } from "@talos-ts/machinery/resources/network";
import { networkEtcFileController } from "./etc-file.ts";
import { hostDnsConfigController } from "./host-dns-config.ts";
import { networkStatusController } from "./network-status.ts";
import { testMachine } from "../internal/testing.ts";

const hostname = createResource(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });

const nodeAddress = (id: string) =>
  createResource(NodeAddress, id, { addresses: ["10.5.0.2/24"], sortAlgorithm: "v1" as const });

async function test() {
  const root = await mkdtemp(join(tmpdir(), "etc-file-"));
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [networkEtcFileController(machine), hostDnsConfigController(), networkStatusController(machine)],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("networkStatusController()", () => {
  it("raises each flag when its part is there; a container needs no resolv.conf", async () => {
    await using kit = await test();
    const flags = (...ready: readonly boolean[]) =>
      kit.assertResource(NetworkStatus, "status", ({ spec }) =>
        assert.deepEqual([spec.addressReady, spec.connectivityReady, spec.hostnameReady, spec.etcFilesReady], ready),
      );
    await flags(false, false, false, false);
    await kit.create(nodeAddress("current"));
    await flags(true, false, false, false);
    await kit.create(createResource(RouteStatus, "inet4/10.5.0.1//0", RouteStatus.spec({ gateway: "10.5.0.1" })));
    await flags(true, true, false, false);
    await kit.create(hostname);
    await flags(true, true, true, false);
    await kit.create(createResource(EtcFileStatus, "hosts", { specVersion: "1" }));
    await flags(true, true, true, true);
  });
});
