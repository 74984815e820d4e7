import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameSpec, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { hostnameConfigController, stableName } from "./hostname-config.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";

const document = (lines: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\n${lines}\n`;

describe("hostnameConfigController()", () => {
  it("publishes the hostname of the configuration, split into host and domain", async () => {
    await using kit = controllerTest({ register: [hostnameConfigController()] });
    const config = activeResource(document("hostname: node-1.example.org"));
    await kit.create(config);
    const spec = { hostname: "node-1", domainname: "example.org", layer: "configuration" } as const;
    await kit.assertSpec(HostnameSpec, "configuration/hostname", spec, { namespace });
    await kit.remove(config);
    await kit.assertNoResource(HostnameSpec, "configuration/hostname", { namespace });
  });
  it("derives the default from the address", async () => {
    await using kit = controllerTest({ register: [hostnameConfigController()] });
    const addresses = NodeAddress.spec({ addresses: ["10.5.0.2/24"] });
    await kit.create(activeResource(mainDocument()), createResource(NodeAddress, "default", addresses));
    await kit.assertSpec(
      HostnameSpec,
      "default/hostname",
      { hostname: "talos-10-5-0-2", domainname: "", layer: "default" },
      { namespace },
    );
  });
});

describe("stableName()", () => {
  it("has the form talos-xxx-xxx and depends on the identity alone", () => {
    assert.match(stableName("a") ?? "", /^talos-[0-9a-z]{3}-[0-9a-z]{3}$/);
    assert.equal(stableName("a"), stableName("a"));
    assert.notEqual(stableName("a"), stableName("b"));
  });
});
