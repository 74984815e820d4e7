import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { ntpAnswer, startNtpServer } from "../../ntp/testing.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";
import { timeSyncController } from "./time-sync.ts";

const servers = (...timeServers: readonly string[]) => createResource(TimeServerStatus, "timeservers", { timeServers });
const hour = 3_600_000_000_000n;

describe("timeSyncController()", () => {
  it("takes the clock of a container for synced as soon as the servers are known", async () => {
    await using kit = controllerTest({ register: [timeSyncController(testMachine())] });
    await kit.settled();
    await kit.assertNoResource(TimeStatus, "node");
    await kit.create(servers());
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 0, syncDisabled: true });
  });

  it("steps the clock to the time of a server and counts the epoch, then slews", async () => {
    const machine = testMachine({ platform: { mode: "metal" } });
    const clock = createManualClock();
    const { clock: kernelClock } = machine.linux;
    let ahead = hour;
    const real = kernelClock.now() - BigInt(Date.now()) * 1_000_000n;
    const serverTime = (): bigint => BigInt(Date.now()) * 1_000_000n + real + ahead;
    await using server = await startNtpServer((request) => ntpAnswer(request, undefined, serverTime()));
    await using kit = controllerTest({ register: [timeSyncController({ ...machine, clock })], clock });
    await kit.create(servers(server.name));
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 1, syncDisabled: false });
    const [step] = kernelClock.adjustments;
    assert.ok(step?.stepNanoseconds !== undefined && step.stepNanoseconds > hour / 2n, String(step?.stepNanoseconds));
    ahead += hour;
    await clock.advance(32_000);
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 2, syncDisabled: false });
  });

  it("goes on without the time when the boot timeout is over", async () => {
    const clock = createManualClock();
    const machine = { ...testMachine({ platform: { mode: "metal" } }), clock };
    await using server = await startNtpServer(() => undefined);
    await using kit = controllerTest({ register: [timeSyncController(machine)], clock });
    await kit.create(activeResource(mainDocument("time:", "  bootTimeout: 2m")), servers(server.name));
    await kit.assertSpec(TimeStatus, "node", { synced: false, epoch: 0, syncDisabled: false });
    await kit.settled();
    await clock.advance(120_000);
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 0, syncDisabled: false });
    assert.deepEqual(machine.linux.clock.adjustments, []);
  });

  it("stops when it is disabled", async () => {
    const machine = testMachine({ platform: { mode: "metal" } });
    await using kit = controllerTest({ register: [timeSyncController(machine)] });
    await kit.create(activeResource(mainDocument("time:", "  disabled: true")), servers("127.0.0.1:9"));
    await kit.assertSpec(TimeStatus, "node", { synced: true, epoch: 0, syncDisabled: true });
  });
});
