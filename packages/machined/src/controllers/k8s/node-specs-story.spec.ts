import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { configText } from "@talos-ts/machinery/config";
import { NodeAnnotationSpec, NodeLabelSpec, NodeTaintSpec } from "@talos-ts/machinery/resources/k8s";
import { ExtensionStatus } from "@talos-ts/machinery/resources/runtime";
import { activeResource, testConfig } from "../internal/testing.ts";
import { nodeAnnotationSpecController } from "./node-annotation-spec.ts";
import { nodeLabelSpecController } from "./node-label-spec.ts";
import { nodeTaintSpecController } from "./node-taint-spec.ts";

describe("labels, annotations and taints of the node", () => {
  it("give control planes their role and keep workloads off", async () => {
    await using test = controllerTest({ register: [nodeLabelSpecController(), nodeTaintSpecController()] });
    await test.create(activeResource(await testConfig("controlplane")));
    const key = "node-role.kubernetes.io/control-plane";
    await test.assertSpec(NodeLabelSpec, key, { key, value: "" });
    await test.assertSpec(NodeTaintSpec, key, { key, value: "", effect: "NoSchedule" });
  });

  it("give workers what the configuration says and name their extensions", async () => {
    await using test = controllerTest({
      register: [nodeLabelSpecController(), nodeAnnotationSpecController(), nodeTaintSpecController()],
    });
    const text = configText(await testConfig("worker")).replace(
      "machine:\n",
      "machine:\n    nodeLabels: {zone: a}\n    nodeAnnotations: {note: b}\n    nodeTaints: {gpu: 'yes:NoExecute'}\n",
    );
    const extension = (name: string, version: string): ReturnType<typeof createResource> =>
      createResource(ExtensionStatus, name, ExtensionStatus.spec({ metadata: { name, version } }));
    await test.create(activeResource(text), extension("gvisor", "v1.0"), extension("odd", "v1 beta+1"));
    await test.assertSpec(NodeLabelSpec, "zone", { key: "zone", value: "a" });
    await test.assertSpec(NodeAnnotationSpec, "note", { key: "note", value: "b" });
    await test.assertSpec(NodeTaintSpec, "gpu", { key: "gpu", value: "yes", effect: "NoExecute" });
    const label = "extensions.talos.dev/gvisor";
    await test.assertSpec(NodeLabelSpec, label, { key: label, value: "v1.0" });
    const annotation = "extensions.talos.dev/odd";
    await test.assertSpec(NodeAnnotationSpec, annotation, { key: annotation, value: "v1 beta+1" });
    await test.assertNoResource(NodeLabelSpec, annotation);
  });
});
