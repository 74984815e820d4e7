import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcdRootSecret } from "@talos-ts/machinery/resources/secrets";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { rootEtcdController } from "./root-etcd.ts";

describe("rootEtcdController()", () => {
  it("publishes the CA of etcd on control plane machines", async () => {
    const { certs } = await testSecrets();
    await using test = controllerTest({ register: [rootEtcdController()] });
    const config = activeResource(await testConfig("controlplane"));
    await test.create(config);
    await test.assertSpec(EtcdRootSecret, "etcd", { etcdCA: certs.etcd });
    await test.remove(config);
    await test.assertNoResource(EtcdRootSecret, "etcd");
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [rootEtcdController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(EtcdRootSecret, "etcd");
  });
});
