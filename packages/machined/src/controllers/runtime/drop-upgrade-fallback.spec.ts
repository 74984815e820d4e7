import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { dropUpgradeFallbackController } from "./drop-upgrade-fallback.ts";

const status = (stage: "booting" | "running", ready: boolean) =>
  MachineStatus.spec({ stage, status: { ready, unmetConditions: [] } });

/** A boot loader that tells when it is asked to keep the version. */
function recording() {
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const keep = async () => {
    count += 1;
    asked.resolve();
    return undefined;
  };
  return { asked: asked.promise, count: () => count, bootLoader: { keep } };
}

describe("dropUpgradeFallbackController()", () => {
  it("ends the trial once, when the machine is ready", async () => {
    const { asked, count, bootLoader } = recording();
    await using test = controllerTest({
      register: [dropUpgradeFallbackController({ platform: { mode: "metal" }, bootLoader })],
    });
    await test.create(createResource(MachineStatus, MachineStatus.id, status("booting", false)));
    await test.settled();
    assert.equal(count(), 0);
    await test.update(MachineStatus, MachineStatus.id, () => status("running", true));
    await asked;
    await test.update(MachineStatus, MachineStatus.id, () => status("running", false));
    await test.update(MachineStatus, MachineStatus.id, () => status("running", true));
    await test.settled();
    assert.equal(count(), 1);
  });
  it("leaves containers alone", async () => {
    const { count, bootLoader } = recording();
    await using test = controllerTest({
      register: [dropUpgradeFallbackController({ platform: { mode: "container" }, bootLoader })],
    });
    await test.create(createResource(MachineStatus, MachineStatus.id, status("running", true)));
    await test.settled();
    assert.equal(count(), 0);
  });
});
