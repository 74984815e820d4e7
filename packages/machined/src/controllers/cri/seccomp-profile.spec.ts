import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { SeccompProfile } from "@talos-ts/machinery/resources/cri";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { seccompProfileController } from "./seccomp-profile.ts";

describe("seccompProfileController()", () => {
  it("has the profiles of the configuration by name", async () => {
    await using test = controllerTest({ register: [seccompProfileController()] });
    await test.create(
      activeResource(mainDocument("seccompProfiles:", "  - {name: audit.json, value: {defaultAction: SCMP_ACT_LOG}}")),
    );
    await test.assertSpec(SeccompProfile, "audit.json", {
      name: "audit.json",
      value: { defaultAction: "SCMP_ACT_LOG" },
    });
  });
});
