import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubeletConfig, StaticPodServerStatus } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { kubeletConfigController } from "./kubelet-config.ts";

describe("kubeletConfigController()", () => {
  it("waits for the server of static pods, and derives the address of cluster DNS", async () => {
    await using test = controllerTest({ register: [kubeletConfigController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.settled();
    await test.assertNoResource(KubeletConfig, KubeletConfig.id);
    const status = StaticPodServerStatus.spec({ url: "http://127.0.0.1:1234" });
    await test.create(createResource(StaticPodServerStatus, StaticPodServerStatus.id, status));
    await test.assertResource(KubeletConfig, KubeletConfig.id, ({ spec }) => {
      assert.deepEqual([spec.clusterDNS, spec.clusterDomain], [["10.96.0.10"], "cluster.local"]);
      assert.equal(spec.staticPodListURL, "http://127.0.0.1:1234");
    });
    await test.remove(config);
    await test.assertNoResource(KubeletConfig, KubeletConfig.id);
  });
});
