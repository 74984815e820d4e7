import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ExtensionServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { extensionServiceConfigController } from "./extension-service-config.ts";

const document = `apiVersion: v1alpha1
kind: ExtensionServiceConfig
name: nut-client
configFiles:
  - content: MONITOR a
    mountPath: /usr/etc/nut/upsmon.conf
environment: [NUT_UPS=a]
`;

describe("extensionServiceConfigController()", () => {
  it("publishes each document, and withdraws it", async () => {
    await using kit = controllerTest({ register: [extensionServiceConfigController()] });
    const config = activeResource(mainDocument(), document);
    await kit.create(config);
    await kit.assertSpec(ExtensionServiceConfig, "nut-client", {
      files: [{ content: "MONITOR a", mountPath: "/usr/etc/nut/upsmon.conf" }],
      environment: ["NUT_UPS=a"],
    });
    await kit.remove(config);
    await kit.assertNoResource(ExtensionServiceConfig, "nut-client");
  });
});
