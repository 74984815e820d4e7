import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, wrapCore } from "@talos-ts/cosi";
import { controllerTest, createRecordingLogger } from "@talos-ts/cosi/conformance";
import { parseCertificate } from "@talos-ts/crypto";
import { configText } from "@talos-ts/machinery/config";
import { VolumeLifecycle } from "@talos-ts/machinery/resources/block";
import { APIServiceConfig, MaintenanceServiceRequest } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { AcquireConfigSpec, AcquireConfigStatus } from "@talos-ts/machinery/resources/v1alpha1";
import { createDiskBootLoader } from "../../boot-loader/disk-boot-loader.ts";
import { sealConfig } from "../../config/config-file.ts";
import { createConfigStore } from "../../config/state-config-store.ts";
import { createEventBus } from "../../events/event-bus.ts";
import { createLogStore } from "../../logs/log-store.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import { createServiceManager } from "../../services/service-manager.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { allControllers } from "../index.ts";
import { resolveWithSystem } from "../k8s/static-endpoint.ts";
import { testConfig, testMachine } from "../internal/testing.ts";

/** All controllers of a machine over a kernel in memory, with the address the provisioner gives a node. */
async function startNode(root: string, userData: string | undefined) {
  for (const path of ["system/etc", "system/state", "etc/ssl/certs", "var"])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, "etc/ssl/certs/ca-certificates.crt"), "");
  const state = wrapCore(createInMemoryState());
  const base = testMachine({
    root,
    platform: {
      configuration: async () => (userData === undefined ? undefined : Buffer.from(userData)),
      network: async () => ({ hostname: "test-controlplane-1", resolvers: ["10.5.0.1"], instanceType: undefined }),
    },
  });
  const network = base.linux.networks.here;
  await network.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "peer0" } }, up: true });
  const eth0 = await network.link("eth0");
  const peer = await network.link("peer0");
  assert.ok(eth0 !== undefined && peer !== undefined);
  await network.changeLink(peer.index, { up: true });
  await network.addAddress({ address: "10.5.0.2/24", linkIndex: eth0.index });
  const services = createServiceManager();
  // As the boot sequence does: the controller of the kubelet waits for its service.
  services.load({
    id: "kubelet",
    runner: () => inProcessRunner({ id: "kubelet", main: (signal) => once(signal, "abort").then(() => undefined) }),
  });
  const dependencies = {
    ...base,
    state,
    services,
    events: createEventBus(),
    logs: createLogStore(),
    logger: createRecordingLogger(),
    config: createConfigStore(state),
    bootLoader: createDiskBootLoader({ state, mounts: base.linux.mounts, root: base.root }),
    resolveHost: resolveWithSystem,
    setHostname: undefined,
  };
  const test = controllerTest({ state, register: allControllers(dependencies) });
  await test.create(
    createResource(VolumeLifecycle, "volumes", VolumeLifecycle.spec({})),
    createResource(AcquireConfigSpec, "machine-config", AcquireConfigSpec.spec({})),
  );
  return Object.assign(test, dependencies);
}

describe("controllers of a machine together", () => {
  it("lead a control plane node from its user data to an API with certificates", async () => {
    await using directory = await temporaryDirectory();
    const text = configText(await testConfig("controlplane"));
    await using node = await startNode(directory.path, text);
    await node.assertResource(AcquireConfigStatus, "machine-config");
    await node.assertResource(ApiCertificate, "api", ({ spec }) => {
      const { subject, ipAddresses } = parseCertificate(spec.server?.crt ?? "");
      assert.deepEqual([subject.commonName, ipAddresses], ["test-controlplane-1", ["10.5.0.2", "127.0.0.1"]]);
    });
    await node.assertResource(TrustdCertificate, "trustd");
    await node.assertResource(APIServiceConfig, "apid", (resource) =>
      assert.equal(resource.spec.listenAddress, ":50000"),
    );
    await node.settled();
    assert.equal(await readFile(join(directory.path, "system/state/config.yaml"), "utf8"), sealConfig(text));
    assert.match(await readFile(join(directory.path, "system/state/node-identity.yaml"), "utf8"), /^nodeId: \w+\n$/);
  });

  it("lead a node without configuration to maintenance mode, and out of it", async () => {
    await using directory = await temporaryDirectory();
    await using node = await startNode(directory.path, undefined);
    await node.assertResource(MaintenanceServiceRequest, "maintenance");
    await node.assertResource(APIServiceConfig, "apid", ({ spec }) => assert.equal(spec.skipVerifyingClientCert, true));
    await node.assertResource(ApiCertificate, "api", ({ spec }) => assert.equal(spec.skipVerifyingClientCert, true));
    const config = await testConfig("controlplane");
    await node.config.persist(config);
    await node.config.activate(config);
    await node.assertResource(AcquireConfigStatus, "machine-config");
    await node.assertResource(APIServiceConfig, "apid", ({ spec }) =>
      assert.equal(spec.skipVerifyingClientCert, false),
    );
  });
});
