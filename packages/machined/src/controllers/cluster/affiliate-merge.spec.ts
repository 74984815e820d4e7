import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Affiliate } from "@talos-ts/machinery/resources/cluster";
import { affiliateMergeController } from "./affiliate-merge.ts";

const raw = (id: string, spec: Parameters<typeof Affiliate.spec>[0]) =>
  createResource(Affiliate, id, Affiliate.spec(spec), { namespace: "cluster-raw" });

describe("affiliateMergeController()", () => {
  it("joins lists, and takes single facts from the later registry that has them", async () => {
    await using test = controllerTest({ register: [affiliateMergeController()] });
    const service = raw("service/a", { nodeId: "a", addresses: ["10.5.0.3", "10.5.0.2"], nodename: "cp" });
    await test.create(
      raw("k8s/a", { nodeId: "a", addresses: ["10.5.0.3"], hostname: "cp.local", machineType: "controlplane" }),
      service,
    );
    const first = { nodeId: "a", hostname: "cp.local", machineType: "controlplane" } as const;
    await test.assertSpec(
      Affiliate,
      "a",
      Affiliate.spec({ ...first, addresses: ["10.5.0.3", "10.5.0.2"], nodename: "cp" }),
    );
    await test.remove(service);
    await test.assertSpec(Affiliate, "a", Affiliate.spec({ ...first, addresses: ["10.5.0.3"] }));
  });
});
