import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { MaintenanceServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { SiderolinkConfig } from "@talos-ts/machinery/resources/siderolink";
import { maintenanceConfigController } from "./maintenance-config.ts";

describe("maintenanceConfigController()", () => {
  it("listens everywhere, or only towards the management system", async () => {
    await using test = controllerTest({ register: [maintenanceConfigController()] });
    await test.assertSpec(MaintenanceServiceConfig, "maintenance", { listenAddress: ":50000", reachableAddresses: [] });
    const link = createResource(SiderolinkConfig, "siderolink", SiderolinkConfig.spec({ host: "x" }));
    await test.create(
      createResource(
        NodeAddress,
        "current",
        NodeAddress.spec({ addresses: ["172.20.0.1/24", "fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c/64"] }),
      ),
    );
    await test.assertResource(MaintenanceServiceConfig, "maintenance", ({ spec }) =>
      assert.deepEqual(spec.reachableAddresses, ["172.20.0.1", "fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c"]),
    );
    await test.create(link);
    await test.assertSpec(MaintenanceServiceConfig, "maintenance", {
      listenAddress: "[fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c]:50000",
      reachableAddresses: ["fdae:41e4:649b:9303:4886:8ab2:8e1c:9b8c"],
    });
  });
});
