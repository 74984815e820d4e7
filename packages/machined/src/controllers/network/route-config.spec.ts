import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RouteSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { deviceConfigController } from "./device-config.ts";
import { routeConfigController } from "./route-config.ts";

describe("routeConfigController()", () => {
  it("publishes the static routes of the configuration, the default route without a destination", async () => {
    await using kit = controllerTest({ register: [deviceConfigController(), routeConfigController()] });
    const config = activeResource(
      mainDocument(
        "network:",
        "  interfaces:",
        "    - interface: eth0",
        "      routes:",
        "        - {network: 0.0.0.0/0, gateway: 10.5.0.1}",
        "        - {network: 10.9.0.0/16, metric: 7}",
      ),
    );
    await kit.create(config);
    const expected = { outLinkName: "eth0", layer: "configuration", protocol: "static" } as const;
    await kit.assertResource(
      RouteSpec,
      "configuration/inet4/10.5.0.1//1024",
      ({ spec }) => assert.partialDeepStrictEqual(spec, { ...expected, dst: "", scope: "global", table: "main" }),
      { namespace },
    );
    await kit.assertResource(
      RouteSpec,
      "configuration/inet4//10.9.0.0/16/7",
      ({ spec }) => assert.partialDeepStrictEqual(spec, { ...expected, scope: "link", priority: 7 }),
      { namespace },
    );
    await kit.remove(config);
    await kit.assertNoResource(RouteSpec, "configuration/inet4/10.5.0.1//1024", { namespace });
  });
});
