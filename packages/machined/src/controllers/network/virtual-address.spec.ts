import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec, HostnameStatus, LinkStatus, OperatorSpec } from "@talos-ts/machinery/resources/network";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { configNamespace } from "./internal/resource-ids.ts";
import { startTestProvider } from "./internal/vip/testing-provider.ts";
import { virtualAddressController, type HoldAddress } from "./virtual-address.ts";

const id = "operator/vip/eth0/10.5.0.50/eth0/10.5.0.50/32";
const inConfig = { namespace: configNamespace };

describe("virtualAddressController()", () => {
  it("T-17, T-79: has the shared address while it owns it, and campaigns only while etcd is healthy", async () => {
    const clock = createManualClock();
    const campaigns: { readonly address: string; readonly candidate: string }[] = [];
    let setOwner: (owner: boolean) => void = () => undefined;
    const hold: HoldAddress = async (campaign, onOwner, signal) => {
      campaigns.push(campaign);
      setOwner = onOwner;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      onOwner(false);
    };
    await using test = controllerTest({ register: [virtualAddressController({ root: "", clock }, { hold })] });
    await test.create(
      createResource(
        OperatorSpec,
        "vip/eth0/10.5.0.50",
        OperatorSpec.spec({ operator: "vip", linkName: "eth0", vip: { ip: "10.5.0.50", gratuitousARP: true } }),
      ),
      createResource(LinkStatus, "eth0", LinkStatus.spec({ operationalState: "up" })),
      createResource(HostnameStatus, HostnameStatus.id, HostnameStatus.spec({ hostname: "cp-1" })),
      createResource(Service, "etcd", Service.spec({ running: true, healthy: false })),
    );
    await test.settled();
    assert.deepEqual(campaigns, []);
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: true }));
    await test.settled();
    assert.deepEqual(campaigns, [{ address: "10.5.0.50", candidate: "cp-1" }]);
    await test.assertNoResource(AddressSpec, id, inConfig);
    setOwner(true);
    await test.assertResource(
      AddressSpec,
      id,
      ({ spec }) => {
        assert.deepEqual([spec.address, spec.layer, spec.announceWithARP], ["10.5.0.50/32", "operator", true]);
      },
      inConfig,
    );
    setOwner(false);
    await test.assertNoResource(AddressSpec, id, inConfig);
    setOwner(true);
    await test.assertResource(AddressSpec, id, undefined, inConfig);
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: false }));
    await test.assertNoResource(AddressSpec, id, inConfig);
  });

  it("has an address of a provider once its API has moved it, and leaves the election when the API refuses", async () => {
    const clock = createManualClock();
    let refuses = true;
    await using provider = await startTestProvider(({ line }) => {
      if (line === "GET /instance-id") return "8";
      if (line.startsWith("GET /floating_ips")) return { floating_ips: [{ id: 1, ip: "203.0.113.9" }] };
      return refuses ? undefined : {};
    });
    const { url } = provider;
    const urls = { hcloud: url, hcloudMetadata: url, equinixMetal: url, equinixMetalMetadata: url };
    const campaigns: string[] = [];
    const ended = Promise.withResolvers<void>();
    const hold: HoldAddress = async ({ candidate }, onOwner, signal) => {
      campaigns.push(candidate);
      onOwner(true);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      onOwner(false);
      ended.resolve();
    };
    const controller = virtualAddressController({ root: "/nonexistent", clock }, { hold, urls });
    await using test = controllerTest({ register: [controller] });
    const vip = { ip: "203.0.113.9", hcloud: { apiToken: "secret" } };
    await test.create(
      createResource(OperatorSpec, "vip", OperatorSpec.spec({ operator: "vip", linkName: "eth0", vip })),
      createResource(LinkStatus, "eth0", LinkStatus.spec({ operationalState: "up" })),
      createResource(HostnameStatus, HostnameStatus.id, HostnameStatus.spec({ hostname: "cp-1" })),
      createResource(Service, "etcd", Service.spec({ running: true, healthy: true })),
    );
    await ended.promise;
    const moved = "operator/vip/eth0/203.0.113.9/eth0/203.0.113.9/32";
    await test.assertNoResource(AddressSpec, moved, inConfig);
    refuses = false;
    // The next campaign begins after a pause.
    while (campaigns.length < 2) {
      await clock.advance(5000);
      await setImmediate();
    }
    await test.assertResource(AddressSpec, moved, ({ spec }) => assert.equal(spec.announceWithARP, false), inConfig);
  });
});
