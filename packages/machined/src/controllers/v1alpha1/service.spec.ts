import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { createServiceManager } from "../../services/service-manager.ts";
import { serviceController } from "./service.ts";

describe("serviceController()", () => {
  it("shows services while they run, with their health", async () => {
    const services = createServiceManager();
    services.load(
      {
        id: "one",
        runner: () => ({
          describe: () => "Test",
          run: (report, signal) =>
            new Promise((resolve) => {
              report("running", "Service started as goroutine");
              signal.addEventListener("abort", () => resolve(), { once: true });
            }),
        }),
        health: { check: async () => undefined, settings: { initialDelayMs: 0 } },
      },
      { id: "two", runner: () => undefined },
    );
    await using test = controllerTest({ register: [serviceController({ services })] });
    services.start("one", "two");
    await test.assertSpec(Service, "one", { running: true, healthy: true, unknown: false });
    await test.assertNoResource(Service, "two");
    await services.stop("one");
    await test.assertNoResource(Service, "one");
    await services.shutdown();
  });
});
