import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EventSinkConfig } from "@talos-ts/machinery/resources/runtime";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { eventsSinkConfigController } from "./events-sink-config.ts";

describe("eventsSinkConfigController()", () => {
  it("publishes the receiver of the document, and nothing without one", async () => {
    await using test = controllerTest({ register: [eventsSinkConfigController()] });
    const document = "apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: 10.0.0.1:3247\n";
    const config = activeResource(mainDocument(), document);
    await test.create(config);
    await test.assertSpec(EventSinkConfig, EventSinkConfig.id, { endpoint: "10.0.0.1:3247" });
    await test.remove(config);
    await test.assertNoResource(EventSinkConfig, EventSinkConfig.id);
  });
});
