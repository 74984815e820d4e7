import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KmsgLogConfig } from "@talos-ts/machinery/resources/runtime";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { kmsgLogConfigController } from "./kmsg-log-config.ts";

const document = (name: string, url: string): string =>
  `apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: ${name}\nurl: ${url}\n`;

describe("kmsgLogConfigController()", () => {
  it("publishes the receivers of all documents, and nothing without one", async () => {
    await using test = controllerTest({ register: [kmsgLogConfigController()] });
    const config = activeResource(
      mainDocument(),
      document("a", "tcp://10.0.0.1:514/"),
      document("b", "udp://10.0.0.2:514/"),
    );
    await test.create(config);
    const destinations = ["tcp://10.0.0.1:514/", "udp://10.0.0.2:514/"];
    await test.assertSpec(KmsgLogConfig, KmsgLogConfig.id, { destinations });
    await test.remove(config);
    await test.assertNoResource(KmsgLogConfig, KmsgLogConfig.id);
  });
});
