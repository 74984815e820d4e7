import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate } from "@talos-ts/crypto";
import { MaintenanceRootSecret } from "@talos-ts/machinery/resources/secrets";
import { noon } from "../internal/testing.ts";
import { maintenanceRootController } from "./maintenance-root.ts";

describe("maintenanceRootController()", () => {
  it("makes one CA per boot, also after a restart of the controller", async () => {
    const clock = createManualClock(noon.getTime());
    await using kit = controllerTest({ clock, register: [maintenanceRootController({ clock })] });
    const { spec } = await kit.assertResource(MaintenanceRootSecret, MaintenanceRootSecret.id);
    const ca = parseCertificate(spec.ca?.crt ?? "");
    assert.deepEqual(ca.subject, ca.issuer);
    assert.ok(ca.notBefore <= noon && ca.notAfter > noon);
    await kit.stop();
    await using again = controllerTest({ clock, state: kit.state, register: [maintenanceRootController({ clock })] });
    await again.settled();
    await again.assertSpec(MaintenanceRootSecret, MaintenanceRootSecret.id, spec);
  });
});
