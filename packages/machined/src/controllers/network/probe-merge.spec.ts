import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ProbeSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { probeMergeController } from "./probe-merge.ts";

const from = (id: string, spec: Parameters<typeof ProbeSpec.spec>[0]) =>
  createResource(ProbeSpec, id, ProbeSpec.spec(spec), { namespace: configNamespace });

describe("probeMergeController()", () => {
  it("takes the highest layer per endpoint", async () => {
    await using kit = controllerTest({ register: [probeMergeController()] });
    const tcp = { endpoint: "10.5.0.1:443", timeoutMs: 1000 };
    const configured = from("configuration/p", { tcp, intervalMs: 500, layer: "configuration" });
    await kit.create(configured, from("platform/p", { tcp, intervalMs: 1000, layer: "platform" }));
    await kit.assertSpec(ProbeSpec, "tcp:10.5.0.1:443", configured.spec);
  });
});
