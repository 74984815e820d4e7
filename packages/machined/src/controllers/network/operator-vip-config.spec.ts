import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { OperatorSpec } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { operatorVIPConfigController } from "./operator-vip-config.ts";

const legacy = "network: {interfaces: [{interface: eth0, vip: {ip: 10.5.0.50}}]}";
const document = "apiVersion: v1alpha1\nkind: Layer2VIPConfig\nname: 10.5.0.51\nlink: eth1\n";
const main = (type: string): string => `version: v1alpha1\nmachine:\n  type: ${type}\n  ${legacy}\ncluster: {}\n`;

describe("operatorVIPConfigController()", () => {
  it("T-79: takes both forms of a virtual address, on control plane machines", async () => {
    await using test = controllerTest({ register: [deviceConfigController(), operatorVIPConfigController()] });
    await test.create(activeResource(main("controlplane"), document));
    for (const [link, ip] of [
      ["eth0", "10.5.0.50"],
      ["eth1", "10.5.0.51"],
    ] as const) {
      const id = `configuration/vip/${link}/${ip}`;
      await test.assertResource(OperatorSpec, id, ({ spec }) => assert.equal(spec.vip.gratuitousARP, true), {
        namespace: configNamespace,
      });
    }
  });

  it("leaves workers out of the election", async () => {
    await using test = controllerTest({ register: [deviceConfigController(), operatorVIPConfigController()] });
    await test.create(activeResource(main("worker"), document));
    await test.settled();
    await test.assertNoResource(OperatorSpec, "configuration/vip/eth0/10.5.0.50", { namespace: configNamespace });
  });

  it("does not announce addresses that the API of a provider moves", async () => {
    await using test = controllerTest({ register: [deviceConfigController(), operatorVIPConfigController()] });
    const devices = "network: {interfaces: [{interface: eth0, vip: {ip: 10.5.0.50, equinixMetal: {apiToken: a}}}]}";
    const machine = `version: v1alpha1\nmachine:\n  type: controlplane\n  ${devices}\ncluster: {}\n`;
    const hcloud = "apiVersion: v1alpha1\nkind: HCloudVIPConfig\nname: 10.5.0.51\nlink: eth1\napiToken: b\n";
    await test.create(activeResource(machine, hcloud));
    for (const [id, metal, cloud] of [
      ["configuration/vip/eth0/10.5.0.50", "a", ""],
      ["configuration/vip/eth1/10.5.0.51", "", "b"],
    ] as const) {
      await test.assertResource(
        OperatorSpec,
        id,
        ({ spec: { vip } }) => {
          assert.deepEqual([vip.gratuitousARP, vip.equinixMetal.apiToken, vip.hcloud.apiToken], [false, metal, cloud]);
        },
        { namespace: configNamespace },
      );
    }
  });
});
