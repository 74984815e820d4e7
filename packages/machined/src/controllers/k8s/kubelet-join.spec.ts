import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { kubeletJoinController } from "./kubelet-join.ts";

async function kubelet(accepted: boolean) {
  const root = await temporaryDirectory();
  const calls: string[] = [];
  const services = { start: () => void calls.push("start"), stop: async () => void calls.push("stop") };
  const api = { accepted, probes: 0 };
  const clock = createManualClock();
  const probe = async (): Promise<boolean> => {
    api.probes += 1;
    return api.accepted;
  };
  const kit = controllerTest({ register: [kubeletJoinController({ services, probe, root: root.path })], clock });
  return {
    ...kit,
    calls,
    api,
    clock,
    async join() {
      const pem = join(root.path, kubernetesPaths.kubeletCertificate);
      await mkdir(dirname(pem), { recursive: true });
      await writeFile(pem, "");
    },
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await root[Symbol.asyncDispose]();
    },
  };
}

const inputs = [
  createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
  createResource(KubeletSecret, KubeletSecret.id, KubeletSecret.spec({ endpoint: "https://127.0.0.1:7445" })),
  createResource(Service, "kubelet", Service.spec({ running: true })),
];

describe("kubeletJoinController()", () => {
  it("restarts a kubelet once that was there before its token", async () => {
    await using test = await kubelet(false);
    await test.create(...inputs);
    await test.settled();
    assert.deepEqual(test.calls, []);
    test.api.accepted = true;
    await test.clock.advance(1000);
    await test.settled();
    assert.deepEqual(test.calls, ["stop", "start"]);
    await test.clock.advance(60_000);
    await test.settled();
    assert.deepEqual(test.calls, ["stop", "start"]);
  });
  it("leaves alone a kubelet whose token is accepted from the start, and one that has joined", async () => {
    await using test = await kubelet(true);
    await test.create(...inputs);
    await test.settled();
    assert.equal(test.api.probes, 1);
    await test.join();
    test.api.accepted = false;
    await test.update(Service, "kubelet", (spec) => ({ ...spec, healthy: true }));
    await test.clock.advance(60_000);
    await test.settled();
    assert.deepEqual([test.calls, test.api.probes], [[], 1]);
  });
});
