import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeAnnotationSpec } from "@talos-ts/machinery/resources/k8s";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { nodeAnnotationSpecController } from "./node-annotation-spec.ts";

describe("nodeAnnotationSpecController()", () => {
  it("publishes the annotations of the configuration", async () => {
    await using test = controllerTest({ register: [nodeAnnotationSpecController()] });
    const config = activeResource(mainDocument("nodeAnnotations: {note: b}"));
    await test.create(config);
    await test.assertSpec(NodeAnnotationSpec, "note", { key: "note", value: "b" });
    await test.remove(config);
    await test.assertNoResource(NodeAnnotationSpec, "note");
  });
});
