import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { TimeServerSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { timeServerConfigController } from "./time-server-config.ts";

describe("timeServerConfigController()", () => {
  it("publishes the default server, and those of the configuration above it", async () => {
    await using kit = controllerTest({ register: [timeServerConfigController()] });
    const fallback = { timeServers: ["time.cloudflare.com"], layer: "default" } as const;
    await kit.assertSpec(TimeServerSpec, "default/timeservers", fallback, { namespace });
    const config = activeResource(mainDocument("time:", "  servers: [10.5.0.1, ntp.lan]"));
    await kit.create(config);
    await kit.assertSpec(
      TimeServerSpec,
      "configuration/timeservers",
      { timeServers: ["10.5.0.1", "ntp.lan"], layer: "configuration" },
      { namespace },
    );
    await kit.remove(config);
    await kit.assertNoResource(TimeServerSpec, "configuration/timeservers", { namespace });
  });
});
