import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { testMachine } from "../internal/testing.ts";
import { timeSyncController } from "./time-sync.ts";

describe("timeSyncController()", () => {
  it("takes the clock of a container for synced as soon as the servers are known", async () => {
    await using kit = controllerTest({ register: [timeSyncController(testMachine())] });
    await kit.settled();
    await kit.assertNoResource(TimeStatus, "node");
    await kit.create(createResource(TimeServerStatus, "timeservers", { timeServers: [] }));
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 0, syncDisabled: true });
  });
});
