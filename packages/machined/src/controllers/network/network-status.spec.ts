import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { HostnameStatus, NetworkStatus, NodeAddress, RouteStatus } from "@talos-ts/machinery/resources/network";
import { etcFiles } from "./testing/etc-files.ts";

const hostname = createResource(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });

const nodeAddress = (id: string) =>
  createResource(NodeAddress, id, { addresses: ["10.5.0.2/24"], sortAlgorithm: "v1" as const });

describe("networkStatusController()", () => {
  it("raises each flag when its part is there; a container needs no resolv.conf", async () => {
    await using kit = await etcFiles();
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
