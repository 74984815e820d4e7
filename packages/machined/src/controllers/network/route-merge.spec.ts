import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RouteSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { routeMergeController } from "./route-merge.ts";

const from = (id: string, spec: Parameters<typeof RouteSpec.spec>[0]) =>
  createResource(RouteSpec, id, RouteSpec.spec(spec), { namespace: configNamespace });

describe("routeMergeController()", () => {
  it("takes the highest layer per family, gateway, destination and metric", async () => {
    await using kit = controllerTest({ register: [routeMergeController()] });
    const route = { family: "inet4", gateway: "10.5.0.1", outLinkName: "eth0", table: "main", priority: 1024 } as const;
    const configured = from("configuration/r", { ...route, mtu: 1400, layer: "configuration" });
    await kit.create(
      from("platform/r", { ...route, layer: "platform" }),
      configured,
      from("platform/s", { ...route, priority: 2048, layer: "platform" }),
    );
    await kit.assertSpec(RouteSpec, "inet4/10.5.0.1//1024", configured.spec);
    await kit.assertResource(RouteSpec, "inet4/10.5.0.1//2048");
  });
});
