import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { PCIDriverRebindConfig } from "@talos-ts/machinery/resources/hardware";
import { activeResource } from "../internal/testing.ts";
import { pciDriverRebindConfigController } from "./pci-driver-rebind-config.ts";

const document = `apiVersion: v1alpha1
kind: PCIDriverRebindConfig
name: 0000:04:00.0
targetDriver: vfio-pci
`;

describe("hardware.PCIDriverRebindConfigController", () => {
  it("publishes the drivers that devices should have", async () => {
    await using test = controllerTest({ register: [pciDriverRebindConfigController()] });
    const config = activeResource(document);
    await test.create(config);
    await test.assertSpec(PCIDriverRebindConfig, "0000:04:00.0", { pciID: "0000:04:00.0", targetDriver: "vfio-pci" });
    await test.remove(config);
    await test.assertNoResource(PCIDriverRebindConfig, "0000:04:00.0");
  });
});
