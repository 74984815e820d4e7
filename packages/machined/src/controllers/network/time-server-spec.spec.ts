import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { TimeServerSpec, TimeServerStatus } from "@talos-ts/machinery/resources/network";
import { timeServerSpecController } from "./time-server-spec.ts";

describe("timeServerSpecController()", () => {
  it("publishes the merged spec as the status, and withdraws it", async () => {
    await using kit = controllerTest({ register: [timeServerSpecController()] });
    const spec = createResource(TimeServerSpec, TimeServerSpec.id, { timeServers: ["ntp.lan"], layer: "platform" });
    await kit.create(spec);
    await kit.assertSpec(TimeServerStatus, TimeServerStatus.id, { timeServers: ["ntp.lan"] });
    await kit.remove(spec);
    await kit.assertNoResource(TimeServerStatus, TimeServerStatus.id);
  });
});
