import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ProbeSpec } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { probeConfigController } from "./probe-config.ts";

describe("probeConfigController()", () => {
  it("publishes one probe per document, with the defaults of absent fields", async () => {
    await using kit = controllerTest({ register: [probeConfigController()] });
    const document = "apiVersion: v1alpha1\nkind: TCPProbeConfig\nname: p\nendpoint: 10.5.0.1:443\ninterval: 2s\n";
    const config = activeResource(document);
    await kit.create(config);
    await kit.assertSpec(
      ProbeSpec,
      "configuration/tcp:10.5.0.1:443",
      ProbeSpec.spec({
        intervalMs: 2000,
        tcp: { endpoint: "10.5.0.1:443", timeoutMs: 10_000 },
        layer: "configuration",
      }),
      { namespace },
    );
    await kit.remove(config);
    await kit.assertNoResource(ProbeSpec, "configuration/tcp:10.5.0.1:443", { namespace });
  });
});
