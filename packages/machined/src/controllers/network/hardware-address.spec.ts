import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HardwareAddress, LinkStatus } from "@talos-ts/machinery/resources/network";
import { hardwareAddressController } from "./hardware-address.ts";

describe("hardwareAddressController()", () => {
  it("takes the first card and nothing virtual", async () => {
    await using kit = controllerTest({ register: [hardwareAddressController()] });
    const link = (name: string, kind: string) =>
      createResource(
        LinkStatus,
        name,
        LinkStatus.spec({ type: "ether", kind, hardwareAddr: `02:00:00:00:00:0${name}` }),
      );
    await kit.create(link("1", "veth"), link("2", ""), link("3", ""));
    await kit.assertSpec(HardwareAddress, "first", { name: "2", hardwareAddr: "02:00:00:00:00:02" });
  });
});
