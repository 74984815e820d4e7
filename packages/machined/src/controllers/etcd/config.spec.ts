import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { applyPatches, defaultImage, loadPatches } from "@talos-ts/machinery/config";
import { EtcdConfig } from "@talos-ts/machinery/resources/etcd";
import { activeResource, testConfig } from "../internal/testing.ts";
import { etcdConfigController } from "./config.ts";

const defaults = {
  advertiseValidSubnets: [],
  advertiseExcludeSubnets: [],
  listenValidSubnets: [],
  listenExcludeSubnets: [],
  image: defaultImage("etcd"),
  extraArgs: {},
};

describe("etcdConfigController()", () => {
  it("T-31: gives control plane machines the defaults, and none to workers", async () => {
    await using test = controllerTest({ register: [etcdConfigController()] });
    const config = activeResource(await testConfig("controlplane"));
    await test.create(config);
    await test.assertSpec(EtcdConfig, "etcd", defaults);
    await test.remove(config);
    await test.assertNoResource(EtcdConfig, "etcd");
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(EtcdConfig, "etcd");
  });

  it("T-17: takes subnets, image and arguments, and never announces a virtual address", async () => {
    await using test = controllerTest({ register: [etcdConfigController()] });
    const patch = `
cluster:
  etcd:
    image: registry.example/etcd:v3.6.1
    advertisedSubnets: [10.5.0.0/24]
    extraArgs:
      quota-backend-bytes: "8589934592"
      log-outputs: [stderr, stdout]
machine:
  network:
    interfaces: [{interface: eth0, vip: {ip: 10.5.0.50}}]
`;
    const config = applyPatches(await testConfig("controlplane"), loadPatches([patch]));
    await test.create(activeResource(config));
    await test.assertSpec(EtcdConfig, "etcd", {
      ...defaults,
      advertiseValidSubnets: ["10.5.0.0/24"],
      advertiseExcludeSubnets: ["10.5.0.50"],
      listenValidSubnets: ["10.5.0.0/24"],
      image: "registry.example/etcd:v3.6.1",
      extraArgs: {
        "quota-backend-bytes": { values: ["8589934592"] },
        "log-outputs": { values: ["stderr", "stdout"] },
      },
    });
  });
});
