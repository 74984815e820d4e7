import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Info } from "@talos-ts/machinery/resources/cluster";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { clusterInfoController } from "./cluster-info.ts";

describe("clusterInfoController()", () => {
  it("T-28: publishes id and name of the cluster", async () => {
    const { cluster } = await testSecrets();
    await using test = controllerTest({ register: [clusterInfoController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertSpec(Info, "current", { clusterId: cluster.id, clusterName: "test" });
    await test.remove(config);
    await test.assertNoResource(Info, "current");
  });
});
