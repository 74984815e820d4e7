import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";
import { addressConfigController } from "./address-config.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";

const config = activeResource(
  mainDocument("network:", "  interfaces:", "    - interface: eth0", "      addresses: [10.5.0.2/24, fd00::2/64]"),
);

describe("addressConfigController()", () => {
  it("publishes the static addresses of the configuration", async () => {
    await using kit = controllerTest({
      register: [deviceConfigController(), addressConfigController({ platform: { mode: "container" } })],
    });
    await kit.create(config);
    await kit.assertResource(
      AddressSpec,
      "configuration/eth0/10.5.0.2/24",
      ({ spec }) => assert.deepEqual([spec.family, spec.scope, spec.flags], ["inet4", "global", ["permanent"]]),
      { namespace },
    );
    await kit.assertResource(
      AddressSpec,
      "configuration/eth0/fd00::2/64",
      ({ spec }) => assert.equal(spec.family, "inet6"),
      { namespace },
    );
    await kit.assertNoResource(AddressSpec, "default/lo/127.0.0.1/8", { namespace });
    await kit.remove(config);
    await kit.assertNoResource(AddressSpec, "configuration/eth0/10.5.0.2/24", { namespace });
  });
  it("adds the loopback address outside containers", async () => {
    await using kit = controllerTest({
      register: [deviceConfigController(), addressConfigController({ platform: { mode: "metal" } })],
    });
    await kit.assertResource(AddressSpec, "default/lo/127.0.0.1/8", undefined, { namespace });
  });
});
