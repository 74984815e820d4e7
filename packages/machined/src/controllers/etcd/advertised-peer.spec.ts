import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcdSpec, PKIStatus } from "@talos-ts/machinery/resources/etcd";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { etcdAdvertisedPeerController } from "./advertised-peer.ts";

describe("etcdAdvertisedPeerController()", () => {
  it("T-40: announces peer URLs once etcd is healthy, and again when addresses change", async () => {
    const announced: (readonly string[])[] = [];
    const advertise = async (urls: readonly string[]): Promise<bigint> => {
      announced.push(urls);
      return 1n;
    };
    await using test = controllerTest({ register: [etcdAdvertisedPeerController({ root: "" }, { advertise })] });
    await test.create(
      createResource(EtcdSpec, "etcd", EtcdSpec.spec({ advertisedAddresses: ["10.5.0.2"] })),
      createResource(PKIStatus, "etcd", PKIStatus.spec({ ready: true, version: "1" })),
      createResource(Service, "etcd", Service.spec({ running: true, unknown: true })),
    );
    await test.settled();
    assert.deepEqual(announced, []);
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: true, unknown: false }));
    await test.settled();
    await test.update(EtcdSpec, "etcd", (spec) => ({ ...spec, advertisedAddresses: ["10.5.0.9", "fd00::9"] }));
    await test.settled();
    assert.deepEqual(announced.at(-1), ["https://10.5.0.9:2380", "https://[fd00::9]:2380"]);
    assert.deepEqual(announced[0], ["https://10.5.0.2:2380"]);
    assert.ok(test.logs.some(({ message }) => message === "updated etcd peer URLs"));
  });
});
