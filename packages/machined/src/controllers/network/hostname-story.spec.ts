import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Identity } from "@talos-ts/machinery/resources/cluster";
import { HostnameSpec, HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { hostnameConfigController } from "./hostname-config.ts";
import { hostnameSpecController } from "./hostname-spec.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { hostnameMergeController } from "./hostname-merge.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";

const document = (lines: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\n${lines}\n`;

const identity = createResource(Identity, Identity.id, { nodeId: "fGdOI05hVrx3YMagLo0Bwxa2Nm9BAswWm8XLeEj0aS4" });

const address = createResource(
  NodeAddress,
  "default",
  NodeAddress.spec({ addresses: ["10.5.0.2/24"], sortAlgorithm: "v1" }),
);

function test() {
  const machine = testMachine();
  const register = [
    hostnameConfigController(),
    hostnameSpecController({ setHostname: undefined }),
    hostnameMergeController(),
  ];
  return { machine, ...controllerTest({ register }) };
}

describe("hostname pipeline", () => {
  it("takes the name of the document, split into host and domain", async () => {
    await using kit = test();
    await kit.create(identity, activeResource(document("hostname: node-1.example.org")));
    await kit.assertSpec(HostnameStatus, "hostname", { hostname: "node-1", domainname: "example.org" });
    assert.equal(kit.machine.linux.system.hostname(), "memory", "the name of a container is not set");
  });
  it("makes a stable name of the identity where the document asks for it", async () => {
    await using kit = test();
    await kit.create(identity, activeResource(document("auto: stable")));
    await kit.assertSpec(HostnameStatus, "hostname", { hostname: "talos-hwz-sw5", domainname: "" });
  });
  it("makes a name of the address where the configuration says nothing", async () => {
    await using kit = test();
    await kit.create(address, activeResource(mainDocument()));
    await kit.assertSpec(HostnameStatus, "hostname", { hostname: "talos-10-5-0-2", domainname: "" });
  });
  it("lets the platform win over the default and the configuration over both, in any order", async () => {
    await using kit = test();
    const platform = createResource(
      HostnameSpec,
      "platform/hostname",
      HostnameSpec.spec({ hostname: "given", layer: "platform" }),
      { namespace: configNamespace },
    );
    await kit.create(address, platform, activeResource(mainDocument()));
    await kit.assertResource(HostnameStatus, "hostname", ({ spec }) => assert.equal(spec.hostname, "given"));
    await kit.update(HostnameSpec, "platform/hostname", (spec) => ({ ...spec, hostname: "renamed" }), configNamespace);
    await kit.assertResource(HostnameStatus, "hostname", ({ spec }) => assert.equal(spec.hostname, "renamed"));
    await kit.remove(platform);
    await kit.assertResource(HostnameStatus, "hostname", ({ spec }) => assert.equal(spec.hostname, "talos-10-5-0-2"));
  });
  it("says nothing before there is a configuration", async () => {
    await using kit = test();
    await kit.create(identity, address);
    await kit.settled();
    await kit.assertNoResource(HostnameSpec, "hostname");
  });
});
