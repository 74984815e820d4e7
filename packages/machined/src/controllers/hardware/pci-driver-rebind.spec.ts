import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource, type Resource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { MemoryLinux } from "@talos-ts/linux/memory";
import { PCIDriverRebindConfig, PCIDriverRebindStatus } from "@talos-ts/machinery/resources/hardware";
import { DevicesStatus, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { pciDriverRebindController } from "./pci-driver-rebind.ts";

const id = "0000:04:00.0";
const device = `/sys/bus/pci/devices/${id}`;
const ready = createResource(DevicesStatus, DevicesStatus.id, DevicesStatus.spec({ ready: true }));
const rebind = (targetDriver: string): Resource =>
  createResource(PCIDriverRebindConfig, id, PCIDriverRebindConfig.spec({ pciID: id, targetDriver }));

/** A bus with one device, as the kernel answers writes; drivers that are loaded take the device. */
function addDevice({ textFiles: { tree } }: MemoryLinux, ...loaded: readonly string[]): void {
  let override = "";
  tree.set(`${device}/driver_override`, { read: () => override, write: (text) => (override = text.trim()) });
  tree.set(`${device}/driver`, { linkTo: "../../../bus/pci/drivers/e1000" });
  tree.set(`${device}/driver/unbind`, { read: () => "", write: () => tree.delete(`${device}/driver`) });
  tree.set("/sys/bus/pci/drivers_probe", {
    read: () => "",
    write() {
      const driver = override === "" ? "e1000" : override;
      if (loaded.includes(driver)) tree.set(`${device}/driver`, { linkTo: `../../../bus/pci/drivers/${driver}` });
    },
  });
}

describe("hardware.PCIDriverRebindController", () => {
  it("gives a device another driver, and back", async () => {
    const { linux } = testMachine();
    addDevice(linux, "e1000", "vfio-pci");
    await using test = controllerTest({
      register: [pciDriverRebindController({ linux, platform: { mode: "metal" } })],
    });
    const config = rebind("vfio-pci");
    await test.create(config);
    await test.settled();
    await test.assertNoResource(PCIDriverRebindStatus, id);
    await test.create(ready);
    await test.assertSpec(PCIDriverRebindStatus, id, { pciID: id, targetDriver: "vfio-pci" });
    assert.equal(await linux.textFiles.readLink(`${device}/driver`), "../../../bus/pci/drivers/vfio-pci");
    await test.remove(config);
    await test.assertNoResource(PCIDriverRebindStatus, id);
    await test.settled();
    assert.equal(await linux.textFiles.readLink(`${device}/driver`), "../../../bus/pci/drivers/e1000");
  });

  it("says why a device has another driver", async () => {
    const { linux } = testMachine();
    addDevice(linux, "e1000");
    await using test = controllerTest({
      register: [pciDriverRebindController({ linux, platform: { mode: "metal" } })],
    });
    await test.create(ready, rebind("vfio-pci"));
    await test.assertSpec(SettingProblem, `pci/${id}`, {
      setting: `driver vfio-pci of PCI device ${id}`,
      reason: "the device has driver none: is the module of vfio-pci loaded?",
    });
    await test.assertNoResource(PCIDriverRebindStatus, id);
  });

  it("leaves the devices of the host alone in a container", async () => {
    const machine = testMachine();
    addDevice(machine.linux, "e1000", "vfio-pci");
    await using test = controllerTest({ register: [pciDriverRebindController(machine)] });
    await test.create(ready, rebind("vfio-pci"));
    await test.assertResource(SettingProblem, `pci/${id}`, ({ spec }) => {
      assert.equal(spec.reason, "devices belong to the host of a container");
    });
    assert.equal(await machine.linux.textFiles.readLink(`${device}/driver`), "../../../bus/pci/drivers/e1000");
  });
});
