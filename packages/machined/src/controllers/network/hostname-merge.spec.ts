import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { hostnameMergeController } from "./hostname-merge.ts";

const from = (id: string, spec: Parameters<typeof HostnameSpec.spec>[0]) =>
  createResource(HostnameSpec, id, HostnameSpec.spec(spec), { namespace: configNamespace });

describe("hostnameMergeController()", () => {
  it("takes the highest layer that has a hostname", async () => {
    await using kit = controllerTest({ register: [hostnameMergeController()] });
    const platform = from("platform/hostname", { hostname: "given", layer: "platform" });
    await kit.create(
      from("default/hostname", { hostname: "talos-1", layer: "default" }),
      from("configuration/hostname", { hostname: "", layer: "configuration" }),
      platform,
    );
    await kit.assertSpec(HostnameSpec, "hostname", platform.spec);
    await kit.remove(platform);
    await kit.assertSpec(HostnameSpec, "hostname", HostnameSpec.spec({ hostname: "talos-1", layer: "default" }));
  });
});
