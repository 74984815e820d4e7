import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { StaticPod, StaticPodServerStatus } from "@talos-ts/machinery/resources/k8s";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { staticPodConfigController } from "./static-pod-config.ts";
import { staticPodServerController } from "./static-pod-server.ts";

describe("staticPodServerController()", () => {
  it("T-66: serves the pods as a list, and logs what is new, changed and gone", async () => {
    await using test = controllerTest({ register: [staticPodServerController()] });
    const { spec } = await test.assertResource(StaticPodServerStatus, StaticPodServerStatus.id);
    assert.match(spec.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const served = async (): Promise<unknown> => (await fetch(spec.url)).json();
    await test.create(createResource(StaticPod, "one", { kind: "Pod", spec: { a: 1 } }));
    await test.settled();
    assert.deepEqual(await served(), { kind: "PodList", apiVersion: "v1", items: [{ kind: "Pod", spec: { a: 1 } }] });
    await test.update(StaticPod, "one", () => ({ kind: "Pod" }));
    await test.settled();
    await test.remove(await test.assertResource(StaticPod, "one"));
    await test.settled();
    assert.deepEqual(await served(), { kind: "PodList", apiVersion: "v1", items: [] });
    const lines = test.logs.filter(({ message }) => message.includes("static pod"));
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields["id"], fields["old_version"], fields["new_version"]]),
      [
        ["rendered new static pod", "one", undefined, undefined],
        ["rendered updated static pod", "one", "1", "2"],
        ["removed static pod", "one", undefined, undefined],
      ],
    );
  });
});

describe("staticPodConfigController()", () => {
  it("takes pods of the configuration, by namespace and name", async () => {
    await using test = controllerTest({ register: [staticPodConfigController()] });
    const pod = "{apiVersion: v1, kind: Pod, metadata: {name: nginx}}";
    const other = "{apiVersion: v1, kind: Pod, metadata: {name: proxy, namespace: kube-system}}";
    await test.create(activeResource(mainDocument("pods:", `  - ${pod}`, `  - ${other}`)));
    await test.assertSpec(StaticPod, "default-nginx", { apiVersion: "v1", kind: "Pod", metadata: { name: "nginx" } });
    await test.assertResource(StaticPod, "kube-system-proxy");
  });
  it("refuses a pod without a name", async () => {
    await using test = controllerTest({ register: [staticPodConfigController()] });
    await test.create(activeResource(mainDocument("pods:", "  - {kind: Pod}")));
    await test.assertStatus("k8s.StaticPodConfigController", ({ lastError }) =>
      assert.match(String(lastError?.error.message), /name is missing in static pod metadata/),
    );
  });
});
