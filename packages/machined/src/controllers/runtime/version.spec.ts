import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { talosVersion } from "@talos-ts/machinery/constants";
import { Version } from "@talos-ts/machinery/resources/runtime";
import { versionController } from "./version.ts";

describe("versionController()", () => {
  it("publishes name and version of the system", async () => {
    await using test = controllerTest({ register: [versionController()] });
    await test.assertSpec(Version, "version", { name: "Talos", version: talosVersion });
  });
});
