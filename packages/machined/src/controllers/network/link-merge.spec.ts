import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { linkMergeController } from "./link-merge.ts";

const from = (id: string, spec: Parameters<typeof LinkSpec.spec>[0]) =>
  createResource(LinkSpec, id, LinkSpec.spec(spec), { namespace: configNamespace });

describe("linkMergeController()", () => {
  it("overrides only the fields that a higher layer sets", async () => {
    await using kit = controllerTest({ register: [linkMergeController()] });
    await kit.create(
      from("default/eth0", { name: "eth0", up: true, mtu: 1500, layer: "default" }),
      from("configuration/eth0", { name: "eth0", mtu: 9000, layer: "configuration" }),
      from("default/lo", { name: "lo", up: true, layer: "default" }),
    );
    await kit.assertSpec(
      LinkSpec,
      "eth0",
      LinkSpec.spec({ name: "eth0", up: true, mtu: 9000, layer: "configuration" }),
    );
    await kit.assertSpec(LinkSpec, "lo", LinkSpec.spec({ name: "lo", up: true, layer: "default" }));
  });
});
