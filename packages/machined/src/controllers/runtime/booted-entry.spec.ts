import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { BootedEntry } from "@talos-ts/machinery/resources/runtime";
import { bootedEntryController } from "./booted-entry.ts";

const bootLoader = { booted: async () => "talos-v1.13.9" };

describe("bootedEntryController()", () => {
  it("names the entry that the boot loader started", async () => {
    await using test = controllerTest({
      register: [bootedEntryController({ platform: { mode: "metal" }, bootLoader })],
    });
    await test.assertSpec(BootedEntry, BootedEntry.id, { bootedEntry: "talos-v1.13.9" });
  });
  it("has nothing to say about a container, or a machine that was started in another way", async () => {
    for (const machine of [
      { platform: { mode: "container" }, bootLoader },
      { platform: { mode: "metal" }, bootLoader: { booted: async () => undefined } },
    ] as const) {
      await using test = controllerTest({ register: [bootedEntryController(machine)] });
      await test.assertNoResource(BootedEntry, BootedEntry.id);
    }
  });
});
